/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One delayed packet after the other, and the delay that each has met. */
#ifndef PCB_COLLECT_I210_SAMPLER_H
#define PCB_COLLECT_I210_SAMPLER_H

#include "collect/host/cpu_cache.h"
#include "collect/i210/i210.h"

/* What RR2DCDELAY counts in. */
#define I210_UNIT_NS 16

/* Zero-initialise; set system, port, distances and random. */
struct sampler {
	const struct nic_system *system;
	struct nic_port *port;
	uint64_t least, most; /* launch distance, ns */
	uint64_t random;
	uint64_t tx_done_ns;     /* when a packet is out that was interrupted */
	struct thrash thrash;    /* written before each packet, or empty */
	uint64_t missed, zeroes; /* in all */
	unsigned zeroes_in_row;
};

/*
 * Takes distances and thrash from the request's -O, or their defaults;
 * thrash_free follows in any case. False after fail().
 */
bool sampler_set_options(struct session *s, struct sampler *sampler);

/*
 * Takes a sample: launch distance and delay, picoseconds. None is *taken where
 * the NIC has measured nothing or a signal came first. False after fail().
 */
bool sampler_take(struct session *s, struct sampler *sampler, uint64_t raw[2],
                  bool *taken);

/*
 * False after fail(), with the status given, if the NIC's clock is not where
 * it should be.
 */
bool sampler_check_clock(struct session *s, const struct sampler *sampler,
                         int status);

#endif
