/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets and ways: the tags of a last-level cache or an IOTLB. */
#ifndef PCB_COMMON_SIM_TAG_CACHE_H
#define PCB_COMMON_SIM_TAG_CACHE_H

#include <stddef.h>
#include <stdint.h>

/*
 * A block, numbered below 2^34, belongs to the set of its number modulo `sets`,
 * and evicts the oldest entry there. A flush keeps the memory: entries of
 * another generation do not count.
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

#endif
