/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The simulated host: root complex, caches, IOMMU and memory. */
#ifndef PCB_COMMON_SIM_HOST_H
#define PCB_COMMON_SIM_HOST_H

#include "common/sim/params.h"
#include "common/sim/tag_cache.h"

/* A page walker: address and end of its last walk, start of the next. */
struct sim_walker {
	uint64_t address, done, busy;
};

/* Times in picoseconds, on the caller's clock. */
struct sim_host {
	const uint64_t *number; /* parameters */
	uint64_t *random;       /* random number generator */
	struct sim_cache llc, iotlb;
	unsigned page_shift;
	uint64_t refresh_odds; /* of 2^32: a refresh is in progress */
	bool remote;           /* the buffer is on the other node */
	bool far;              /* the page table is not cached */

	uint64_t busy;       /* root complex is busy until then */
	uint64_t written;    /* when a read sees the last write */
	uint64_t translated; /* when the last address was translated */
	struct sim_walker *walker;
	uint64_t rc;   /* root complex time of this run */
	uint64_t last; /* line + 1 in which the last write ended; 0: none */
};

/* params and *random must outlive the host; free it with sim_host_free. */
void sim_host_make(struct sim_host *host, const struct sim_params *params,
                   uint64_t *random);
void sim_host_free(struct sim_host *host);

/* Sets the caches to a state for a window of the buffer. */
void sim_host_prepare(struct sim_host *host, enum cache state, uint64_t window,
                      bool remote);

/* Ends all transactions and restarts the clock at 0. */
void sim_host_idle(struct sim_host *host);

/*
 * The time at which the completions of a read request are sent; the time at
 * which a write is visible and its credits are free. Both arrive at `now`.
 * Requests stay within a page of 4 KiB and come in the order of arrival.
 */
uint64_t sim_host_read(struct sim_host *host, uint64_t address, uint64_t length,
                       uint64_t now);
uint64_t sim_host_write(struct sim_host *host, uint64_t address,
                        uint64_t length, uint64_t now);

#endif
