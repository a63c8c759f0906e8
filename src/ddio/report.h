/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the metrics of all aggregates. */
#ifndef PCB_DDIO_REPORT_H
#define PCB_DDIO_REPORT_H

#include "common/stream/writer.h"
#include "ddio/input.h"

/*
 * Writes header and rows to `o`, whose first three members are set; the caller
 * calls out_finish. The first ncols columns of keys are called `name`.
 * `duration`, in nanoseconds, is used for counts without one; NAN: unknown.
 * Warns of metrics left out.
 */
void report(const struct input *in, char *const name[], size_t ncols,
            double duration, struct out *o);

#endif
