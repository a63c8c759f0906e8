/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many DMAs a network card must have in flight. */
#ifndef PCB_MODEL_INFLIGHT_H
#define PCB_MODEL_INFLIGHT_H

#include "common/base/number.h"
#include "common/stream/writer.h"

struct options;

struct inflight_options {
	uint64_t rate; /* of the Ethernet, bit/s */
	struct size_list frame;
};

/*
 * The command `inflight`: rows for the time of --rtt, or those of the files
 * with columns behind them. Dies of bad input. Returns STATUS_OK.
 */
int run_inflight(struct out *o, const struct options *options);

#endif
