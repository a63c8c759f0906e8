/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bandwidth: workers transfer until a steady part can be timed. */
#include "collect/gpu/gpu.h"
#include "common/base/intmath.h"

#include <math.h>

/* A worker with fewer transfers has no steady state. */
#define EACH_AT_LEAST 16

/* Larger launches would freeze a display. */
#define LAUNCH_BYTES (UINT64_C(1) << 30)

/* The global timer advances in steps; the span needs this many. */
#define STEPS_AT_LEAST 20

/* Entries of the order per transfer. */
static unsigned
gpu_entries_of(const struct gpu *gpu)
{
	return gpu->transfer.bench == BW_RDWR ? 2 : 1;
}

/* Workers for n transfers: enough to keep the link busy, fewer for small n. */
static uint64_t
gpu_workers_for(const struct gpu *gpu, uint64_t n)
{
	if (gpu->set.workers)
		return gpu->set.workers;
	return max_u64(1,
	               min_u64(min_u64(gpu->driver->workers(gpu), GPU_WORKERS),
	                       n / EACH_AT_LEAST));
}

static bool
gpu_launch(struct session *s, uint64_t workers, uint64_t transfers,
           struct gpu_total *total)
{
	struct gpu *gpu = s->state;
	struct gpu_args args = gpu_args(gpu);

	args.workers = (uint32_t)workers;
	args.warmup_iters = (uint32_t)(transfers / 8 + 1);
	args.timed_iters = (uint32_t)transfers - 2 * args.warmup_iters;
	args.count = (uint32_t)min_u64(
	    workers * transfers * gpu_entries_of(gpu), GPU_ORDER);
	order_take(&gpu->order, gpu->entries, args.count);
	if (!gpu_transfer(s, GPU_TRANSFER, &args, workers) ||
	    !gpu->driver->read(s, gpu->span, 0, workers * sizeof *gpu->span))
		return false;
	if (gpu->driver->spans_to_ns)
		gpu->driver->spans_to_ns(gpu, gpu->span, workers);
	return gpu_steady(gpu->span, workers, args.timed_iters,
	                  STEPS_AT_LEAST * gpu->clock.step, total) ||
	       fail(s, STATUS_TROUBLE,
	            "%ju transfers of each of %ju workers are too few to time "
	            "all workers together: raise -n or lower -O workers",
	            (uintmax_t)transfers, (uintmax_t)workers);
}

/* Transfers of the next launch, with `left` still to do. */
static uint64_t
gpu_next_launch(const struct gpu *gpu, uint64_t left)
{
	uint64_t n =
	    min_u64(left, max_u64(LAUNCH_BYTES / gpu->transfer.size,
	                          gpu_workers_for(gpu, left) * EACH_AT_LEAST));

	/* Includes a remainder that is too small for its own launch. */
	if (left - n < n / 2)
		n = left;
	n = min_u64(n, gpu_workers_for(gpu, n) * gpu->driver->most_turns);
	if (gpu->order.without_replacement)
		n = min_u64(n, min_u64(order_left(&gpu->order), GPU_ORDER) /
		                   gpu_entries_of(gpu));
	return n;
}

bool
gpu_enough_for_workers(struct session *s, uint64_t n)
{
	const struct gpu *gpu = s->state;

	return n / EACH_AT_LEAST >= gpu->set.workers ||
	       fail(s, STATUS_TROUBLE,
	            "-O workers=%u: each needs at least %d transfers, and "
	            "there are %ju in all",
	            gpu->set.workers, EACH_AT_LEAST, (uintmax_t)n);
}

static bool
gpu_run_launches(struct session *s, uint64_t want, struct gpu_total *total)
{
	struct gpu *gpu = s->state;

	for (uint64_t done = 0; done < want && !*s->interrupted;) {
		uint64_t n = gpu_next_launch(gpu, want - done);
		uint64_t workers = gpu_workers_for(gpu, n);
		uint64_t each = n / workers;

		if (each < EACH_AT_LEAST)
			break;
		if (!gpu_launch(s, workers, each, total))
			return false;
		done += n;
	}
	return true;
}

static void
gpu_store(struct session *s, const struct gpu_total *total)
{
	struct gpu *gpu = s->state;
	uint64_t *raw = s->series->raw;

	raw[0] = (uint64_t)llround(total->transfers);
	raw[1] = raw[0] * gpu->transfer.size;
	raw[2] = total->ns * 1000;
	s->series->n = raw[0] && raw[2];
}

/*
 * The device reads its window repeatedly, so a cold window may not stay cold;
 * this checks at the end.
 */
static bool
gpu_check_afterwards(struct session *s)
{
	const struct gpu *gpu = s->state;

	if (gpu_is_once(s, &gpu->point, gpu_count(s)) ||
	    gpu->point.cache != CACHE_COLD || *s->interrupted)
		return true;
	return gpu_state_check(s);
}

bool
gpu_run_bandwidth(struct session *s, uint64_t want)
{
	struct gpu *gpu = s->state;
	struct gpu_total total = {0};
	bool ok;

	/* The result of a warm-up is not used. */
	s->series->n = 0;
	if (want < GPU_TOTAL_LEAST)
		return true;
	/* A warm-up has used part of the pass and changed the cache state. */
	order_restart(&gpu->order);
	if (!gpu_state_set(s))
		return false;
	ok = gpu->set.engine == ENGINE_CE ? gpu->driver->copy(s, want, &total)
	                                  : gpu_run_launches(s, want, &total);
	if (!ok || !gpu_check_afterwards(s))
		return false;
	gpu_store(s, &total);
	return true;
}
