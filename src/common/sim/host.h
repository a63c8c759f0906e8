/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What answers the device: root complex, caches, IOMMU and memory. */
#ifndef PCB_COMMON_SIM_HOST_H
#define PCB_COMMON_SIM_HOST_H

#include "common/sim/params.h"
#include "common/sim/tag_cache.h"

/* The last walk of one, when it was done, and when another one may begin. */
struct sim_walker {
	uint64_t address, done, busy;
};

/* Times in picoseconds, on the clock of whoever asks. */
struct sim_host {
	const uint64_t *number; /* the parameters */
	uint64_t *random;       /* state of the generator */
	struct sim_cache llc, iotlb;
	unsigned page_shift;
	uint64_t refresh_odds; /* of 2^32: that memory is being refreshed */
	bool remote;           /* where the buffer is */
	bool far;              /* the page table is in no cache */

	uint64_t busy;       /* until when requests and lines keep it */
	uint64_t written;    /* when the last write is visible to a read */
	uint64_t translated; /* when the last address was known */
	struct sim_walker *walker;
	uint64_t rc;   /* of this run */
	uint64_t last; /* line in which the last write ended; 0: none */
};

void sim_host_make(struct sim_host *host, const struct sim_params *params,
                   uint64_t *random);
void sim_host_free(struct sim_host *host);

/* Brings the caches into a state for a window of the buffer. */
void sim_host_prepare(struct sim_host *host, enum cache state, uint64_t window,
                      bool remote);

/* Nothing is under way any more, at the time 0 of a new clock. */
void sim_host_idle(struct sim_host *host);

/*
 * When the data of a read request that arrives at `now` are on their way,
 * and when a write that does is visible and its credits are free. Requests
 * lie in one page of 4 KiB and come in the order of their arrival.
 */
uint64_t sim_host_read(struct sim_host *host, uint64_t address, uint64_t length,
                       uint64_t now);
uint64_t sim_host_write(struct sim_host *host, uint64_t address,
                        uint64_t length, uint64_t now);

#endif
