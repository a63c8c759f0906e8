/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets and ways: the tags of a last-level cache or of an IO-TLB. */
#ifndef PCB_COMMON_SIM_TAG_CACHE_H
#define PCB_COMMON_SIM_TAG_CACHE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Blocks, numbered below 2^34, go to the set that is their number modulo the
 * sets, and push out the one that has been there longest. A cache that has
 * been flushed may keep its memory: entries of another generation do not
 * count.
 */
struct sim_cache {
	uint64_t *entry; /* ways of set 0, of set 1, ... */
	uint16_t *next;  /* of each set: the way to fill next */
	uint64_t sets;
	unsigned ways;
	uint64_t generation;
};

/* What is known of a block besides its number. */
#define SIM_BY_HOST (UINT64_C(1) << 63) /* a CPU wrote it last */

/* All empty. To be freed with sim_cache_free. */
void sim_cache_make(struct sim_cache *cache, uint64_t blocks, unsigned ways);
void sim_cache_free(struct sim_cache *cache);

/* Empties it; takes no time. */
void sim_cache_flush(struct sim_cache *cache);

/* Fills a way, out of the first `among` ones, with a block. */
void sim_cache_insert(struct sim_cache *cache, uint64_t block, unsigned among,
                      uint64_t flags);

/* The entry of a block, or NULL; its flags may be changed. */
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
