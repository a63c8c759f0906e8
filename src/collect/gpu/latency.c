/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Latency: one warp transfers and stores the cycles of each. */
#include "collect/gpu/gpu.h"
#include "common/base/intmath.h"

/* Tries for a batch during which the clock stays the same. */
#define ATTEMPTS 8

/* The unit of the first transactions of a launch, which take longer. */
static uint32_t
gpu_lead_unit(const struct gpu *gpu)
{
	uint64_t behind =
	    div_round_up(gpu->point.window, SMALL_PAGE) * SMALL_PAGE;

	return (uint32_t)div_round_up(behind, gpu->unit);
}

/* Runs the next n transactions; their cycles go to gpu->cycles. */
static bool
launch(struct session *s, uint32_t n)
{
	struct gpu *gpu = s->state;
	struct gpu_args args = gpu_args(gpu);

	for (size_t i = 0; i < GPU_WARMUP_ITERS; i++)
		gpu->entries[i] = gpu_lead_unit(gpu);
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
		if ((begins && !gpu_state_set(s)) || !launch(s, (uint32_t)n))
			return false;
		for (uint64_t i = 0; i < n; i++)
			series->raw[series->n + i] = gpu->cycles[i];
		series->n += n;
	}
	return true;
}

static void
gpu_cycles_to_ps(struct series *series, double ps)
{
	for (size_t i = 0; i < series->n; i++)
		series->raw[i] = (uint64_t)((double)series->raw[i] * ps + 0.5);
}

bool
gpu_run_latency(struct session *s, uint64_t want)
{
	struct gpu *gpu = s->state;
	double before = 0, after = 0;
	bool steady;

	for (int i = 0; i < ATTEMPTS; i++) {
		/* Samples of an unknown rate are dropped. */
		if (!gpu_clock_read(s, &before) || !gpu_take_batch(s, want) ||
		    !gpu_clock_read(s, &after)) {
			s->series->n = 0;
			return false;
		}
		steady = gpu_clock_steady(gpu, before, after);
		if (!steady)
			gpu->clock.retries++;
		if (steady || gpu->software) {
			gpu->clock.ps = (before + after) / 2;
			gpu_cycles_to_ps(s->series, gpu->clock.ps);
			return true;
		}
	}
	s->series->n = 0;
	return fail(s, STATUS_TROUBLE,
	            "%s: its clock changes all the time (%.0f MHz, %.0f MHz): "
	            "other programs may be using it",
	            gpu->bdf, 1e6 / before, 1e6 / after);
}
