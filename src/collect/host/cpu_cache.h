/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the CPU's caches hold when a device reads. */
#ifndef PCB_COLLECT_HOST_CPU_CACHE_H
#define PCB_COLLECT_HOST_CPU_CACHE_H

#include "collect/core/backend.h"

/*
 * Brings memory into the caches by a store to each of its lines; the bytes
 * stored mean nothing.
 */
void cache_warm(void *from, uint64_t size);

/* An area to drive all else out of the caches by. Zero-initialise. */
struct thrash {
	void *at;
	uint64_t size;
};

/*
 * Maps an area of more than twice a last-level cache of `llc` bytes. False
 * after fail(), also if that is 0, unknown. Release with thrash_free.
 */
bool thrash_make(struct session *s, struct thrash *thrash, uint64_t llc);
void thrash_free(struct thrash *thrash);

/* Writes all of it; does nothing where none was made. */
void cache_thrash(const struct thrash *thrash);

#endif
