/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Single transfers, and the clock that times them. */
#include "collect/sim/device.h"
#include "common/base/prng.h"
#include "common/sim/engine.h"

#define MILLION 1000000

/* The three kinds of stall exclude each other. */
static uint64_t
stall(struct sim_device *device)
{
	const uint64_t *n = device->number;
	uint64_t r;

	if (!device->stall_odds)
		return 0;
	r = random_below(&device->random, MILLION);
	if (r >= device->stall_odds)
		return 0;
	for (size_t i = SIM_STALL1; i <= SIM_STALL3; i += 3) {
		if (r < n[i + 2])
			return n[i] +
			       random_below(&device->random, n[i + 1] + 1);
		r -= n[i + 2];
	}
	return 0;
}

/* What the clock shows: the number of its ticks within the time. */
static uint64_t
ticks(struct sim_device *device, uint64_t time)
{
	uint64_t tick = device->number[SIM_TICK];
	uint64_t end = device->phase + time, passed = end / tick;

	device->phase = (end - passed * tick + device->number[SIM_LOOP]) % tick;
	return passed * tick;
}

uint64_t
sim_device_latency(struct sim_device *device, bool write_first)
{
	struct sim_transfer transfer = {sim_device_next(device), device->size,
	                                write_first};
	uint64_t time;

	sim_link_idle(&device->link);
	sim_host_idle(&device->host);
	time = sim_engine_alone(&device->link, &device->host, device->answered,
	                        &transfer);
	return ticks(device, time + stall(device));
}
