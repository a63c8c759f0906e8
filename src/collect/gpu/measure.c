/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Times transactions: the clock's rate, latencies one by one, and bandwidth
 * while all workers are busy.
 */
#include "collect/gpu/gpu.h"

#include "common/base/intmath.h"

#include <math.h>
#include <time.h>

#define CALIBRATION_NS  2000000
#define SPIN_NS         20000000
#define SPINS_AT_LEAST  15
#define SPINS_AT_MOST   150
#define STEADY_IN_A_ROW 4

bool
gpu_clock_read(struct session *s, uint64_t duration, double *ps)
{
	struct gpu *gpu = s->state;
	struct gpu_clock *clock = &gpu->clock;
	struct gpu_ticks ticks;

	if (!gpu->driver->read_ticks(s, duration, &ticks))
		return false;
	if (ticks.ns1 <= ticks.ns0 || ticks.cycles1 <= ticks.cycles0)
		return fail(s, STATUS_TROUBLE,
		            "%s: its clocks do not run forward", gpu->bdf);
	*ps = 1000 * (double)(ticks.ns1 - ticks.ns0) /
	      (double)(ticks.cycles1 - ticks.cycles0);
	clock->step = ticks.step;
	clock->sm = ticks.sm;
	clock->timer = ticks.ns1;
	clock->ns = read_clock(CLOCK_MONOTONIC_RAW);
	return true;
}

/* From base to boost clock is less: after a larger change no mean says much. */
#define CHANGE_MOST 0.25

static double
gpu_clock_change(double before, double after)
{
	return fmax(before, after) / fmin(before, after) - 1;
}

/*
 * An idle GPU has a low clock, which rises only after some time of load. That
 * of a software driver is the CPU's, which may jump at any time.
 */
static bool
gpu_spin_up(struct session *s)
{
	struct gpu *gpu = s->state;
	double last = 0, change = 0;
	unsigned in_a_row = 0;

	if (gpu->software)
		return gpu_clock_read(s, SPIN_NS, &gpu->clock.ps);
	for (unsigned i = 0; i < SPINS_AT_MOST && !*s->interrupted; i++) {
		last = gpu->clock.ps;
		if (!gpu_clock_read(s, SPIN_NS, &gpu->clock.ps))
			return false;
		change = i ? gpu_clock_change(last, gpu->clock.ps) : 1;
		in_a_row =
		    change <= gpu->driver->steady_part ? in_a_row + 1 : 0;
		if (i >= SPINS_AT_LEAST && in_a_row >= STEADY_IN_A_ROW)
			return true;
	}
	return *s->interrupted || change <= CHANGE_MOST ||
	       fail(s, STATUS_TROUBLE,
	            "%s: its clock does not settle (%.0f MHz, %.0f MHz): other "
	            "programs may be using it",
	            gpu->bdf, 1e6 / last, 1e6 / gpu->clock.ps);
}

bool
gpu_clock_open(struct session *s)
{
	struct gpu *gpu = s->state;
	struct gpu_clock *clock = &gpu->clock;
	struct gpu_args args = gpu_args(gpu);
	uint32_t least = UINT32_MAX;

	if (!gpu_spin_up(s))
		return false;
	args.count = 1024;
	if (!gpu_run_program(s, GPU_OVERHEAD, &args) ||
	    !gpu->driver->read(s, gpu->cycles, 0,
	                       args.count * sizeof *gpu->cycles))
		return false;
	for (size_t i = 0; i < args.count; i++) {
		if (gpu->cycles[i] < least)
			least = gpu->cycles[i];
	}
	clock->overhead = least;
	clock->timer0 = clock->timer;
	clock->ns0 = clock->ns;
	return true;
}

/* Tries for a batch during which the clock stays the same. */
#define ATTEMPTS 8

/* Runs the next n transactions; their cycles go to gpu->cycles. */
static bool
gpu_launch_latency(struct session *s, uint32_t n)
{
	struct gpu *gpu = s->state;
	struct gpu_args args = gpu_args(gpu);
	uint64_t behind =
	    div_round_up(gpu->point.window, SMALL_PAGE) * SMALL_PAGE;

	/* The first transactions of a launch take longer. */
	for (size_t i = 0; i < GPU_WARMUP_ITERS; i++)
		gpu->entries[i] = (uint32_t)div_round_up(behind, gpu->unit);
	order_take(&gpu->order, gpu->entries + GPU_WARMUP_ITERS, n);
	args.count = GPU_WARMUP_ITERS + n;
	return gpu_transfer(s, GPU_TRANSFER, &args, 1) &&
	       gpu->driver->read(s, gpu->cycles,
	                         GPU_WARMUP_ITERS * sizeof *gpu->cycles,
	                         n * sizeof *gpu->cycles);
}

/* Stores up to `want` transactions as samples, in cycles. */
static bool
gpu_take_batch(struct session *s, uint64_t want)
{
	struct gpu *gpu = s->state;
	struct series *series = s->series;
	uint64_t most =
	    min_u64(GPU_LAUNCH, gpu->driver->most_turns) - GPU_WARMUP_ITERS;

	for (series->n = 0; series->n < want && !*s->interrupted;) {
		uint64_t n = min_u64(want - series->n, most);
		bool begins = gpu->order.without_replacement
		                  ? order_is_new(&gpu->order)
		                  : !series->n;

		n = min_u64(n, order_left(&gpu->order));
		if ((begins && !gpu_state_set(s)) ||
		    !gpu_launch_latency(s, (uint32_t)n))
			return false;
		for (uint64_t i = 0; i < n; i++)
			series->raw[series->n + i] = gpu->cycles[i];
		series->n += n;
	}
	return true;
}

static bool
gpu_run_latency(struct session *s, uint64_t want)
{
	struct gpu *gpu = s->state;
	struct series *series = s->series;
	double before = 0, after = 0, change;
	bool last;

	for (int i = 1; i <= ATTEMPTS; i++) {
		/* Samples of an unknown rate are dropped. */
		if (!gpu_clock_read(s, CALIBRATION_NS, &before) ||
		    !gpu_take_batch(s, want) ||
		    !gpu_clock_read(s, CALIBRATION_NS, &after)) {
			series->n = 0;
			return false;
		}
		change = gpu_clock_change(before, after);
		last =
		    gpu->software || (i == ATTEMPTS && change <= CHANGE_MOST);
		if (change > gpu->driver->steady_part)
			gpu->clock.retries++;
		else
			last = true, change = 0;
		if (last) {
			gpu->clock.spread = fmax(gpu->clock.spread, change);
			gpu->clock.ps = (before + after) / 2;
			for (size_t k = 0; k < series->n; k++)
				series->raw[k] =
				    (uint64_t)((double)series->raw[k] *
				                   gpu->clock.ps +
				               0.5);
			return true;
		}
	}
	series->n = 0;
	return fail(s, STATUS_TROUBLE,
	            "%s: its clock changes all the time (%.0f MHz, %.0f MHz): "
	            "other programs may be using it",
	            gpu->bdf, 1e6 / before, 1e6 / after);
}

/*
 * Transfers between the first mark and a time before mark `last`. Between two
 * marks the pace is constant; over all of them it is not: a slow worker becomes
 * faster when others are done.
 */
static double
gpu_done_at(const uint64_t *mark, uint32_t last, uint64_t time)
{
	uint32_t i = 0;
	uint64_t width;

	while (i + 1 < last && mark[i + 1] <= time)
		i++;
	width = mark[i + 1] - mark[i];
	return i + (width ? (double)(time - mark[i]) / (double)width : 1);
}

bool
gpu_steady(const struct gpu_span *span, size_t n, uint32_t each, uint64_t least,
           struct gpu_total *total)
{
	uint32_t step = gpu_mark_step(each), last = each / step;
	uint64_t from = 0, to = UINT64_MAX;

	for (size_t i = 0; i < n; i++) {
		if (span[i].mark[0] > from)
			from = span[i].mark[0];
		if (span[i].mark[last] < to)
			to = span[i].mark[last];
	}
	if (!n || to <= from || to - from < least)
		return false;
	for (size_t i = 0; i < n; i++)
		total->transfers +=
		    step * (gpu_done_at(span[i].mark, last, to) -
		            gpu_done_at(span[i].mark, last, from));
	total->ns += to - from;
	return true;
}

/* Larger launches would freeze a display. */
#define LAUNCH_BYTES (UINT64_C(1) << 30)

/* Copies between checks for signals. */
#define COPIES 16384

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
	                       n / GPU_EACH_LEAST));
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
	                          gpu_workers_for(gpu, left) * GPU_EACH_LEAST));

	/* Includes a remainder that is too small for its own launch. */
	if (left - n < n / 2)
		n = left;
	n = min_u64(n, gpu_workers_for(gpu, n) * gpu->driver->most_turns);
	if (gpu->order.without_replacement)
		n = min_u64(n, min_u64(order_left(&gpu->order), GPU_ORDER) /
		                   gpu_entries_of(gpu));
	return n;
}

static bool
gpu_run_launches(struct session *s, uint64_t want, struct gpu_total *total)
{
	struct gpu *gpu = s->state;

	for (uint64_t done = 0; done < want && !*s->interrupted;) {
		uint64_t n = gpu_next_launch(gpu, want - done);
		uint64_t workers = gpu_workers_for(gpu, n);
		uint64_t each = n / workers;

		if (each < GPU_EACH_LEAST)
			break;
		if (!gpu_launch(s, workers, each, total))
			return false;
		done += n;
	}
	return true;
}

static bool
gpu_run_copies(struct session *s, uint64_t want, struct gpu_total *total)
{
	struct gpu *gpu = s->state;
	unsigned entries = gpu_entries_of(gpu);
	uint64_t most =
	    max_u64(64, gpu->driver->copy_bytes / gpu->transfer.size);

	most = min_u64(COPIES, most);
	for (uint64_t done = 0; done < want && !*s->interrupted;) {
		uint64_t n = min_u64(min_u64(want - done, most),
		                     order_left(&gpu->order) / entries);

		if (n < GPU_EACH_LEAST && done)
			break;
		order_take(&gpu->order, gpu->entries, n * entries);
		if (!gpu->driver->copy(s, n, total))
			return false;
		done += n;
	}
	return true;
}

/*
 * In a latency bench each unit is touched once per pass if touching changes its
 * state; a bandwidth bench has one pass, which may be too short.
 */
bool
gpu_is_once(const struct session *s, const struct point *point)
{
	enum bench_id bench = s->request->bench->id;
	uint64_t units = point_units(point);

	if (point->cache == CACHE_DEVICE_WARM)
		return false;
	if (!s->request->bench->totals)
		return point->cache != CACHE_HOST_WARM || bench == LAT_WRRD;
	return s->request->count <= units / (bench == BW_RDWR ? 2 : 1);
}

static bool
gpu_run_bandwidth(struct session *s, uint64_t want)
{
	struct gpu *gpu = s->state;
	struct gpu_total total = {0};
	uint64_t *raw = s->series->raw;
	bool ok;

	/* The result of a warm-up is not used. */
	s->series->n = 0;
	if (want < GPU_TOTAL_LEAST)
		return true;
	/* A warm-up has used part of the pass and changed the cache state. */
	gpu->order.next = 0;
	if (!gpu_state_set(s))
		return false;
	ok = gpu->set.engine == ENGINE_CE ? gpu_run_copies(s, want, &total)
	                                  : gpu_run_launches(s, want, &total);
	/* The device reads its window repeatedly: was it cold to the end? */
	if (!ok ||
	    (gpu->point.cache == CACHE_COLD && !gpu_is_once(s, &gpu->point) &&
	     !*s->interrupted && !gpu_state_check(s)))
		return false;
	raw[0] = (uint64_t)llround(total.transfers);
	raw[1] = raw[0] * gpu->transfer.size;
	raw[2] = total.ns * 1000;
	s->series->n = raw[0] && raw[2];
	return true;
}

bool
gpu_run(struct session *s, uint64_t want)
{
	return s->request->bench->totals ? gpu_run_bandwidth(s, want)
	                                 : gpu_run_latency(s, want);
}
