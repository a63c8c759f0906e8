/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A session with a GPU, once its driver has opened it. */
#include "collect/gpu/gpu.h"

#include "collect/host/cpu.h"

#include <stdlib.h>

bool
gpu_begin(struct session *s)
{
	struct gpu *gpu = s->state;
	int cpu;

	gpu->order.state = s->request->seed;
	gpu_describe(s);
	gpu->entries = xcalloc(GPU_ORDER, sizeof *gpu->entries);
	gpu->cycles = xcalloc(GPU_LAUNCH, sizeof *gpu->cycles);
	gpu->span = xcalloc(GPU_WORKERS, sizeof *gpu->span);
	clock_open(&gpu->cpu);
	/* The CPU only sets cache states, but should be near the memory. */
	if (!host_pin(s, gpu->home, &cpu))
		return false;
	memory_warn_local(gpu->bdf, gpu->home);
	gpu->states.llc = host_llc(HOST_CPUS);
	for (size_t i = 0; i < NCACHES; i++)
		gpu->states.cached_pct[i] = -1;
	return true;
}

bool
gpu_check(struct session *s, const struct point *asked)
{
	struct gpu *gpu = s->state;
	struct gpu_transfer t;
	struct point point;
	uint64_t room;

	if (!gpu_point_resolve(s, asked, &point, &t))
		return false;
	/* Includes the units behind the window that a launch starts with. */
	room = point.window + SMALL_PAGE + 2 * point_unit(&point);
	if (room > gpu->largest)
		gpu->largest = room;
	gpu->seen |= 1u << point.cache;
	return true;
}

/* Checks before the first point: clock, path, link, all cache states. */
static bool
gpu_prove(struct session *s)
{
	struct gpu *gpu = s->state;

	if (!gpu_clock_open(s) || !gpu_path_check(s) || !gpu_describe_link(s))
		return false;
	if (gpu->driver->prove && !gpu->driver->prove(s))
		return false;
	for (size_t i = 0; i < NCACHES; i++) {
		if (gpu->seen & 1u << i && !gpu_state_prove(s, (enum cache)i))
			return false;
	}
	gpu_describe_states(s);
	gpu->proven = true;
	return true;
}

bool
gpu_prepare(struct session *s, const struct point *asked)
{
	struct gpu *gpu = s->state;
	const struct gpu_memory *memory = &gpu->memory;

	if (!gpu_point_resolve(s, asked, &gpu->point, &gpu->transfer))
		return false;
	gpu->unit = point_unit(&gpu->point);
	if ((!memory->imported || memory->host.node != gpu->point.node) &&
	    !gpu_memory_place(s, gpu->largest, gpu->set.page, gpu->point.node))
		return false;
	if (!(gpu->proven ? gpu_state_prove(s, gpu->point.cache)
	                  : gpu_prove(s)) ||
	    !gpu->driver->load(s, GPU_TRANSFER, &gpu->transfer))
		return false;
	order_begin(&gpu->order, point_units(&gpu->point),
	            gpu->point.pattern == PATTERN_RANDOM,
	            gpu->caches || gpu_is_once(s, &gpu->point));
	gpu_identify(s);
	return true;
}

void
gpu_end(struct gpu *gpu)
{
	thrash_free(&gpu->states.thrash);
	order_free(&gpu->order);
	free(gpu->entries);
	free(gpu->cycles);
	free(gpu->span);
	free(gpu->link);
	free(gpu->iommu);
}
