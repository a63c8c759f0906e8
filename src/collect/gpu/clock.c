/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rate of the clock that times latencies. */
#include "collect/gpu/gpu.h"

#include <math.h>
#include <time.h>

#define CALIBRATION_NS  2000000
#define SPIN_NS         20000000
#define SPINS_AT_LEAST  15
#define SPINS_AT_MOST   150
#define STEADY_IN_A_ROW 4

static bool
gpu_read_rate(struct session *s, uint64_t duration, double *ps)
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

bool
gpu_clock_steady(const struct gpu *gpu, double before, double after)
{
	return fabs(after - before) <= gpu->driver->steady_part * before;
}

bool
gpu_clock_read(struct session *s, double *ps)
{
	return gpu_read_rate(s, CALIBRATION_NS, ps);
}

/* An idle GPU has a low clock, which rises only after some time of load. */
static bool
gpu_spin_up(struct session *s)
{
	struct gpu *gpu = s->state;
	double last = 0;
	unsigned in_a_row = 0;

	for (unsigned i = 0; i < SPINS_AT_MOST && !*s->interrupted; i++) {
		last = gpu->clock.ps;
		if (!gpu_read_rate(s, SPIN_NS, &gpu->clock.ps))
			return false;
		in_a_row = gpu_clock_steady(gpu, last, gpu->clock.ps)
		               ? in_a_row + 1
		               : 0;
		/* That of a software driver is the CPU's, which may jump. */
		if (i >= SPINS_AT_LEAST &&
		    (in_a_row >= STEADY_IN_A_ROW || gpu->software))
			return true;
	}
	return *s->interrupted ||
	       fail(s, STATUS_TROUBLE,
	            "%s: its clock does not settle (%.0f MHz, %.0f MHz): other "
	            "programs may be using it",
	            gpu->bdf, 1e6 / last, 1e6 / gpu->clock.ps);
}

static bool
gpu_read_overhead(struct session *s)
{
	struct gpu *gpu = s->state;
	struct gpu_args args = gpu_args(gpu);
	uint32_t least = UINT32_MAX;

	args.count = 1024;
	if (!gpu_run_program(s, GPU_OVERHEAD, &args) ||
	    !gpu->driver->read(s, gpu->cycles, 0,
	                       args.count * sizeof *gpu->cycles))
		return false;
	for (size_t i = 0; i < args.count; i++) {
		if (gpu->cycles[i] < least)
			least = gpu->cycles[i];
	}
	gpu->clock.overhead = least;
	return true;
}

bool
gpu_clock_open(struct session *s)
{
	struct gpu_clock *clock = &((struct gpu *)s->state)->clock;

	if (!gpu_spin_up(s) || !gpu_read_overhead(s))
		return false;
	clock->timer0 = clock->timer;
	clock->ns0 = clock->ns;
	return true;
}
