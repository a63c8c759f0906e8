/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts timestamps of the device to time, and checks its clock. */
#include "collect/rdma/rdma.h"

#include "common/base/number.h"

#include <stdio.h>
#include <time.h>

/* Time between two readings, and the relative error of the rate allowed. */
#define LOOK_NS   50000000
#define TOLERANCE 0.01

/* A timestamp, and the CPU's time before and after the device took it. */
struct reading {
	uint64_t stamp, before, after;
};

uint64_t
rdma_clock_ps(const struct rdma_clock *clock, uint64_t from, uint64_t to)
{
	double ticks = (double)((to - from) & clock->mask);

	return (uint64_t)(1e12 * ticks / clock->hz + 0.5);
}

static bool
rdma_clock_read(struct session *s, struct reading *reading)
{
	struct rdma *r = s->state;
	struct rdma_plan start = {.step = {r->plan.step[0]}, .n = 1};
	struct rdma_done done;

	reading->before = read_clock(CLOCK_MONOTONIC_RAW);
	if (!rdma_submit(s, &start, 0, 0) || !rdma_finish_one(s, &done))
		return false;
	reading->after = read_clock(CLOCK_MONOTONIC_RAW);
	reading->stamp = done.stamp;
	return true;
}

static void
rdma_clock_describe(struct session *s)
{
	const struct rdma *r = s->state;
	char tick[NUMBER_MAX];

	*print_double(tick, 1e9 / r->clock.hz) = '\0';
	preamble_set(s->preamble, "clock",
	             "completion timestamps of %s, %.0f kHz, %d bits",
	             r->device.name, r->clock.hz / 1000,
	             __builtin_popcountll(r->clock.mask));
	preamble_set(s->preamble, "clock_tick_ns", "%s", tick);
	preamble_set(s->preamble, "clock_overhead_ns", "0");
}

/* A clock that wraps between the readings cannot be checked. */
static bool
rdma_clock_wraps_soon(const struct rdma_clock *clock)
{
	return (double)clock->mask / clock->hz < 4e-9 * LOOK_NS;
}

bool
rdma_clock_check(struct session *s)
{
	const struct rdma *r = s->state;
	const struct timespec pause = {.tv_nsec = LOOK_NS};
	struct reading from, to;
	double ns;

	rdma_clock_describe(s);
	if (rdma_clock_wraps_soon(&r->clock))
		return true;
	if (!rdma_clock_read(s, &from))
		return false;
	nanosleep(&pause, NULL);
	if (!rdma_clock_read(s, &to))
		return false;
	ns = (double)rdma_clock_ps(&r->clock, from.stamp, to.stamp) / 1000;
	if (ns < (1 + TOLERANCE) * (double)(to.after - from.before) &&
	    ns > (1 - TOLERANCE) * (double)(to.before - from.after))
		return true;
	return fail(s, STATUS_TROUBLE,
	            "%s: its clock does not run at the %.0f kHz that its "
	            "driver says: timestamps are %.0f ns apart, and the CPU's "
	            "times %ju",
	            r->device.name, r->clock.hz / 1000, ns,
	            (uintmax_t)(to.after - from.after));
}
