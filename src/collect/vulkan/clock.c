/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calibrates the clock of programs, whose unit the driver does not report. */
#include "collect/vulkan/gpu.h"

#include "collect/vulkan/spirv.h"
#include "common/base/intmath.h"

/* Runs of a program; the one with the least delay by the host counts. */
#define TRIES 5

/* Rounds, in case the host delays all runs of a round. */
#define ATTEMPTS 8

/* Ratio of the turns of a long run and a short one. */
#define LONGER 4

#define PROBE_TURNS 256
#define TURNS_LEAST 16.0
#define TURNS_MOST  ((double)PROGRAM_TURNS / LONGER)

/* Duration of a run, by timestamps and by its own clock. */
struct spin {
	double ns;
	uint32_t ticks;
};

static bool
vulkan_spin(struct session *s, uint32_t turns, struct spin *spin)
{
	struct vulkan_gpu *vg = s->state;
	struct vulkan_device *d = &vg->device;
	struct gpu_args args = gpu_args(&vg->gpu);
	struct program_ticks ticks;

	args.count = turns;
	if (!vulkan_begin(s, d, &d->compute))
		return false;
	vulkan_stamp(d, &d->compute, 0);
	vulkan_dispatch(d, vg->spin, &args, sizeof args, 1);
	vulkan_stamp(d, &d->compute, 1);
	if (!vulkan_submit(s, d, &d->compute) ||
	    !vulkan_wait(s, d, &d->compute) ||
	    !vulkan_stamps(s, d, &d->compute, &spin->ns) ||
	    !vg->gpu.driver->read(s, &ticks, 0, sizeof ticks))
		return false;
	spin->ticks = ticks.to - ticks.from;
	return true;
}

/* The part of a run's time outside of its own clock; at first all of it. */
static double
vulkan_outside(const struct vulkan_gpu *vg, const struct spin *spin)
{
	return spin->ns - spin->ticks * vg->tick_ns;
}

static bool
vulkan_spin_best(struct session *s, uint32_t turns, struct spin *best)
{
	const struct vulkan_gpu *vg = s->state;

	for (int i = 0; i < TRIES; i++) {
		struct spin spin = {0};

		if (!vulkan_spin(s, turns, &spin))
			return false;
		if (!i || vulkan_outside(vg, &spin) < vulkan_outside(vg, best))
			*best = spin;
	}
	return true;
}

/* Makes a short and a long run, again if the clocks contradict each other. */
static bool
vulkan_spin_both(struct session *s, uint32_t turns, struct spin *shorter,
                 struct spin *longer)
{
	for (int i = 0; i < ATTEMPTS; i++) {
		if (!vulkan_spin_best(s, turns, shorter) ||
		    !vulkan_spin_best(s, LONGER * turns, longer))
			return false;
		if (longer->ticks / 2 > shorter->ticks &&
		    longer->ns / 2 > shorter->ns)
			return true;
	}
	return fail(s, STATUS_TROUBLE,
	            "%s: its clocks do not run with its programs: other "
	            "programs may be using it",
	            ((struct gpu *)s->state)->bdf);
}

/* Estimates the time of a turn and of a unit of the clock. */
static bool
vulkan_learn(struct session *s)
{
	struct vulkan_gpu *vg = s->state;
	struct spin shorter = {0}, longer = {0};

	if (vg->turn_ns > 0)
		return true;
	if (!vulkan_spin_both(s, PROBE_TURNS, &shorter, &longer))
		return false;
	vg->turn_ns = longer.ns / (LONGER * PROBE_TURNS);
	return true;
}

/*
 * Uses two runs of different length: the time of a run outside its clock
 * readings is in both, so the difference excludes it.
 */
bool
vulkan_read_ticks(struct session *s, uint64_t duration, struct gpu_ticks *ticks)
{
	struct vulkan_gpu *vg = s->state;
	struct spin shorter = {0}, longer = {0};
	uint64_t now, host;
	double turns;

	if (!vulkan_learn(s))
		return false;
	turns = (double)duration / vg->turn_ns / LONGER;
	if (turns > TURNS_MOST)
		turns = TURNS_MOST;
	if (turns < TURNS_LEAST)
		turns = TURNS_LEAST;
	if (!vulkan_spin_both(s, (uint32_t)turns, &shorter, &longer) ||
	    !vulkan_now(s, &vg->device, &now, &host))
		return false;
	vg->tick_ns = (longer.ns - shorter.ns) / (longer.ticks - shorter.ticks);
	*ticks = (struct gpu_ticks){
	    .ns0 = now - (uint64_t)longer.ns + (uint64_t)shorter.ns,
	    .ns1 = now,
	    .cycles0 = shorter.ticks,
	    .cycles1 = longer.ticks,
	    .step = max_u64(1, (uint64_t)(vg->device.stamp_ns + 0.5))};
	return true;
}

void
vulkan_describe_clock(struct session *s)
{
	const struct vulkan_gpu *vg = s->state;

	preamble_set(s->preamble, "clock",
	             "%s clock of programs, rate from timestamps",
	             vg->program.scope == SPIRV_DEVICE ? "device" : "subgroup");
	gpu_describe_tick(s);
	preamble_set(s->preamble, "timestamp_step_ns", "%.3f",
	             vg->device.stamp_ns);
}
