/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many DMAs a network card must have in flight. */
#ifndef PCB_MODEL_INFLIGHT_H
#define PCB_MODEL_INFLIGHT_H

#include "model/options.h"

/* Writes header and rows for the time of --rtt; leaves out_finish to others. */
void inflight_write(struct out *o, const struct options *options);

/*
 * Writes the rows of the files with columns behind them, preamble and end line
 * included. Dies of bad input.
 */
void inflight_join(struct out *o, const struct options *options);

#endif
