/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/sim/tag_cache.h"

#include "common/base/util.h"

#include <stdlib.h>
#include <string.h>

#define GENERATION (UINT64_C(1) << 34) /* above block numbers */

void
sim_cache_make(struct sim_cache *cache, uint64_t blocks, unsigned ways)
{
	uint64_t sets = blocks / ways;

	*cache = (struct sim_cache){.sets = sets, .ways = ways};
	cache->entry = xcalloc(sets * ways, sizeof *cache->entry);
	cache->next = xcalloc(sets, sizeof *cache->next);
	cache->generation = GENERATION;
}

void
sim_cache_free(struct sim_cache *cache)
{
	free(cache->entry);
	free(cache->next);
}

void
sim_cache_flush(struct sim_cache *cache)
{
	cache->generation += GENERATION;
	if (cache->generation & SIM_BY_HOST) {
		memset(cache->entry, 0,
		       cache->sets * cache->ways * sizeof *cache->entry);
		cache->generation = GENERATION;
	}
}

void
sim_cache_insert(struct sim_cache *cache, uint64_t block, unsigned among,
                 uint64_t flags)
{
	uint64_t set = block % cache->sets;
	unsigned way = cache->next[set];

	if (way >= among)
		way = 0;
	cache->next[set] = (uint16_t)(way + 1);
	cache->entry[set * cache->ways + way] =
	    cache->generation | block | flags;
}
