/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sends packets with launch times one by one, and reads the delay of each. */
#ifndef PCB_COLLECT_I210_SAMPLER_H
#define PCB_COLLECT_I210_SAMPLER_H

#include "collect/host/cpu_cache.h"
#include "collect/i210/i210.h"

/* Unit of RR2DCDELAY. */
#define I210_UNIT_NS 16

/* Zero-initialise; set system, port, distances and random. */
struct sampler {
	const struct nic_system *system;
	struct nic_port *port;
	uint64_t least, most; /* launch distance, ns */
	uint64_t random;
	uint64_t tx_done_ns;     /* end of an interrupted packet */
	struct thrash thrash;    /* used before each packet; or empty */
	uint64_t missed, zeroes; /* in total */
	unsigned zeroes_in_row;
};

/*
 * Sets distances and thrash from the request's -O or the defaults; thrash_free
 * follows in any case. False after fail().
 */
bool sampler_set_options(struct session *s, struct sampler *sampler);

/*
 * Takes a sample: launch distance and delay, in picoseconds. *taken is false if
 * the NIC has measured nothing or a signal arrived first. False after fail().
 */
bool sampler_take(struct session *s, struct sampler *sampler, uint64_t raw[2],
                  bool *taken);

/* False after fail(), with this status, if the NIC's clock is off. */
bool sampler_check_clock(struct session *s, const struct sampler *sampler,
                         int status);

#endif
