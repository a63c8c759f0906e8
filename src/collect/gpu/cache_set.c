/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets the window to the cache state of a point. */
#include "collect/gpu/gpu.h"
#include "common/base/intmath.h"

/* Words per launch: the program counts in 32 bits, with many threads. */
#define FILL_WORDS (UINT64_C(1) << 24)

static bool
gpu_fill(struct session *s)
{
	struct gpu *gpu = s->state;
	struct gpu_args args = gpu_args(gpu);
	uint64_t words = gpu->point.window / 4;
	uint32_t first = ++gpu->states.written << 24;

	for (uint64_t done = 0; done < words; done += args.count) {
		args.buffer = gpu->memory.address + 4 * done;
		args.count = (uint32_t)min_u64(words - done, FILL_WORDS);
		args.pattern = first + (uint32_t)done;
		if (!gpu->driver->start(s, GPU_FILL, &args, 1))
			return false;
	}
	return gpu->driver->wait(s);
}

static bool
gpu_thrash(struct session *s)
{
	struct gpu_states *states = &((struct gpu *)s->state)->states;

	if (!states->thrash.at && !thrash_make(s, &states->thrash, states->llc))
		return false;
	cache_thrash(&states->thrash);
	return true;
}

bool
gpu_state_set(struct session *s)
{
	struct gpu *gpu = s->state;

	switch (gpu->point.cache) {
	case CACHE_COLD:
		return arch_flush(gpu->memory.host.at, gpu->point.window) ||
		       fail(s, STATUS_ABSENT,
		            "--cache cold: a program cannot flush caches here");
	case CACHE_THRASHED:
		return gpu_thrash(s);
	case CACHE_HOST_WARM:
		cache_warm(gpu->memory.host.at, gpu->point.window);
		return true;
	default:
		return gpu_fill(s);
	}
}
