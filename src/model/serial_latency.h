/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Latency of a DWORD read on a link. */
#ifndef PCB_MODEL_SERIAL_LATENCY_H
#define PCB_MODEL_SERIAL_LATENCY_H

#include "common/stream/writer.h"
#include "model/link_config.h"

/*
 * The terms of T_RTT = 2 (T_proc + T_serdes / n + T_flight), D. J. Miller et
 * al., Motivating future interconnects (ANCS 2009), 4.1; picoseconds.
 */
struct delays {
	bool given; /* any of them; if not, no round trip */
	bool given_serdes;
	uint64_t proc, serdes, flight;
};

/*
 * Writes header and rows to `o`, as write_bandwidths does, for the link that
 * the options name, or each link on the device's path; otherwise for every
 * generation and width that they leave open, and, if they set none, for
 * parallel buses.
 */
void write_serial(struct out *o, const struct link_options *options,
                  const struct delays *delays);

#endif
