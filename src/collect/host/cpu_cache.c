/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets the CPU caches: warm and thrashed. */
#include "collect/host/cpu_cache.h"

#include "collect/core/point.h"
#include "collect/host/numa_buffer.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

/* Uses ordinary stores, because memset may bypass the caches. */
void
cache_warm(void *from, uint64_t size)
{
	volatile unsigned char *at = from;

	for (uint64_t i = 0; i < size; i += LINE)
		at[i] = 0xa5;
}

bool
thrash_make(struct session *s, struct thrash *thrash, uint64_t llc)
{
	if (!llc)
		return fail(
		    s, STATUS_ABSENT,
		    "--cache thrashed: the size of the last-level cache is not "
		    "known here");
	thrash->size = 2 * llc + llc / 4;
	thrash->at = memory_map(thrash->size, SMALL_PAGE);
	return thrash->at ||
	       fail(s, STATUS_ABSENT, "%ju bytes to thrash the caches with: %s",
	            (uintmax_t)thrash->size, strerror(errno));
}

void
thrash_free(struct thrash *thrash)
{
	if (thrash->at)
		munmap(thrash->at, thrash->size);
	*thrash = (struct thrash){0};
}

void
cache_thrash(const struct thrash *thrash)
{
	if (thrash->at)
		cache_warm(thrash->at, thrash->size);
}
