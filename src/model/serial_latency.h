/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The link as latency. */
#ifndef PCB_MODEL_SERIAL_LATENCY_H
#define PCB_MODEL_SERIAL_LATENCY_H

#include "common/stream/writer.h"
#include "model/link_config.h"

/*
 * The terms of T_RTT = 2 (T_proc + T_serdes / n + T_flight), D. J. Miller et
 * al., Motivating future interconnects (ANCS 2009), 4.1; picoseconds.
 */
struct delays {
	bool given; /* any of them: without, no round trip is computed */
	bool given_serdes;
	uint64_t proc, serdes, flight;
};

/*
 * Writes header and rows to `o`, as write_bandwidths does: those of the link,
 * or of each on the path of the device, that the options name; otherwise of
 * every generation and width that they leave open, and, if they give none,
 * of the parallel buses.
 */
void write_serial(struct out *o, const struct link_options *options,
                  const struct delays *delays);

#endif
