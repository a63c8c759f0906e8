/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The metrics of all aggregates, written. */
#ifndef PCB_DDIO_REPORT_H
#define PCB_DDIO_REPORT_H

#include "common/stream/writer.h"
#include "ddio/input.h"

/*
 * Writes header and rows to `o`, whose first three fields are set, and leaves
 * out_finish to the caller. The first ncols columns of keys are called `name`.
 * `duration` in nanoseconds is that of counts which have none; NAN: not known.
 * Says what was left out.
 */
void report(const struct input *in, char *const name[], size_t ncols,
            double duration, struct out *o);

#endif
