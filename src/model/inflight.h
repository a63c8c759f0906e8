/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The number of DMAs that a NIC must have in flight. */
#ifndef PCB_MODEL_INFLIGHT_H
#define PCB_MODEL_INFLIGHT_H

#include "model/options.h"

/* Writes header and rows for the time of --rtt; the caller calls out_finish. */
void inflight_write(struct out *o, const struct options *options);

/*
 * Writes preamble, the files' rows with more columns, and end line. Dies if the
 * input is bad.
 */
void inflight_join(struct out *o, const struct options *options);

#endif
