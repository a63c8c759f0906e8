/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks whether a point can be measured, and resolves its settings. */
#include "collect/gpu/gpu.h"

uint64_t
gpu_count(const struct session *s)
{
	return s->request->count ? s->request->count
	                         : s->request->bench->default_count;
}

static bool
gpu_check_place(struct session *s, const struct point *point)
{
	const struct gpu *gpu = s->state;
	uint64_t buffer = point_buffer(s->request, gpu->states.llc);

	if (!point_check(s, point, buffer))
		return false;
	if (point_units(point) >= GPU_PATTERN)
		return fail(s, STATUS_TROUBLE,
		            "a window of %ju bytes: its %ju units are too many",
		            (uintmax_t)point->window,
		            (uintmax_t)point_units(point));
	return true;
}

static bool
gpu_check_transfer(struct session *s, const struct point *point,
                   struct gpu_transfer *t)
{
	const struct gpu *gpu = s->state;
	const char *why;

	*t = (struct gpu_transfer){.bench = s->request->bench->id,
	                           .engine = gpu->set.engine,
	                           .wrrd = gpu->set.wrrd,
	                           .mmio = gpu->set.mmio,
	                           .size = (unsigned)point->size};
	t->bytes_per_lane = gpu->set.bytes_per_lane
	                        ? gpu->set.bytes_per_lane
	                        : gpu->driver->lane(gpu, t, point->offset);
	why = point->size > UINT32_MAX
	          ? "too large"
	          : gpu->driver->check(gpu, t, point->offset);
	return !why ||
	       fail(s, STATUS_TROUBLE, "%ju bytes at offset %ju: %s",
	            (uintmax_t)point->size, (uintmax_t)point->offset, why);
}

/*
 * In a latency bench each unit is touched once per pass if touching changes its
 * state; a bandwidth bench has one pass, which may be too short.
 */
bool
gpu_is_once(const struct session *s, const struct point *point, uint64_t count)
{
	enum bench_id bench = s->request->bench->id;
	uint64_t units = point_units(point);

	if (point->cache == CACHE_DEVICE_WARM)
		return false;
	if (!s->request->bench->totals)
		return point->cache != CACHE_HOST_WARM || bench == LAT_WRRD;
	return count <= units / (bench == BW_RDWR ? 2 : 1);
}

/* A bench that writes its window repeatedly makes it device-warm. */
static bool
gpu_choose_state(struct session *s, struct point *point)
{
	enum bench_id bench = s->request->bench->id;
	uint64_t count = gpu_count(s);

	if (s->request->bench->totals && count < GPU_TOTAL_LEAST)
		return fail(s, STATUS_TROUBLE,
		            "-n %ju: bandwidth needs at least %d transfers",
		            (uintmax_t)count, GPU_TOTAL_LEAST);
	if (!gpu_enough_for_workers(s, count))
		return false;
	if ((bench != BW_WR && bench != BW_RDWR) ||
	    point->cache == CACHE_DEVICE_WARM ||
	    point->cache == CACHE_THRASHED || gpu_is_once(s, point, count))
		return true;
	if (!s->request->cache_given) {
		point->cache = CACHE_DEVICE_WARM;
		return true;
	}
	return fail(s, STATUS_TROUBLE,
	            "--cache %s: %ju transfers go through a window of %ju "
	            "bytes more than once, which is device-warm then: take "
	            "--cache device-warm, a larger window or fewer transfers",
	            cache_names[point->cache], (uintmax_t)count,
	            (uintmax_t)point->window);
}

/* Stores the actual node and cache state of a point. */
bool
gpu_point_resolve(struct session *s, const struct point *asked,
                  struct point *point, struct gpu_transfer *t)
{
	const struct gpu *gpu = s->state;

	*point = *asked;
	return gpu_check_place(s, point) && gpu_check_transfer(s, point, t) &&
	       gpu_choose_state(s, point) &&
	       gpu_memory_node(s, asked->node, gpu->home, &point->node);
}

/* Includes the units behind the window that a launch starts with. */
uint64_t
gpu_room_for(const struct point *point)
{
	return point->window + SMALL_PAGE + 2 * point_unit(point);
}
