/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets the contents of the CPU caches before a device reads. */
#ifndef PCB_COLLECT_HOST_CPU_CACHE_H
#define PCB_COLLECT_HOST_CPU_CACHE_H

#include "collect/core/backend.h"

/*
 * Brings memory into the caches with a store to each line; the bytes stored are
 * arbitrary.
 */
void cache_warm(void *from, uint64_t size);

/* Memory whose use evicts everything else from the caches. Zero-initialise. */
struct thrash {
	void *at;
	uint64_t size;
};

/*
 * Maps more than twice a last-level cache of `llc` bytes. False after fail(),
 * also if `llc` is 0 (unknown). Release with thrash_free.
 */
bool thrash_make(struct session *s, struct thrash *thrash, uint64_t llc);
void thrash_free(struct thrash *thrash);

/* Writes the whole area; does nothing if none was made. */
void cache_thrash(const struct thrash *thrash);

#endif
