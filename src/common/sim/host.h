/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The simulated host: root complex, caches, IOMMU and memory. */
#ifndef PCB_COMMON_SIM_HOST_H
#define PCB_COMMON_SIM_HOST_H

#include "common/sim/params.h"

/*
 * Sets and ways: the tags of a last-level cache or an IOTLB. A block, numbered
 * below 2^34, belongs to the set of its number modulo `sets`, and evicts the
 * oldest entry there. A flush keeps the memory: entries of another generation
 * do not count.
 */
struct sim_cache {
	uint64_t *entry; /* all ways of set 0, then of set 1, ... */
	uint16_t *next;  /* per set: the way to fill next */
	uint64_t sets;
	unsigned ways;
	uint64_t generation;
};

/* Flags of a block, besides its number. */
#define SIM_BY_HOST (UINT64_C(1) << 63) /* a CPU wrote it last */

/* Makes an empty cache. Free with sim_cache_free. */
void sim_cache_make(struct sim_cache *cache, uint64_t blocks, unsigned ways);
void sim_cache_free(struct sim_cache *cache);

/* Empties the cache in constant time. */
void sim_cache_flush(struct sim_cache *cache);

/* Puts a block into one of the first `among` ways. */
void sim_cache_insert(struct sim_cache *cache, uint64_t block, unsigned among,
                      uint64_t flags);

/* The entry of a block, or NULL; the caller may change its flags. */
static inline uint64_t *
sim_cache_find(const struct sim_cache *cache, uint64_t block)
{
	uint64_t key = cache->generation | block;
	uint64_t *entry = cache->entry + block % cache->sets * cache->ways;

	for (unsigned i = 0; i < cache->ways; i++) {
		if ((entry[i] & ~SIM_BY_HOST) == key)
			return &entry[i];
	}
	return NULL;
}

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
	bool elsewhere;        /* what misses is there, or in a cache there */
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

/*
 * Whether host-warm lines are in the cache of the device's node; `remote`: the
 * buffer is on the other one.
 */
bool sim_host_warms(const uint64_t *number, bool remote);

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
