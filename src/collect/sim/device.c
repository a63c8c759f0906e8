/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/sim/device.h"

#include "common/base/intmath.h"
#include "common/base/prng.h"

#include <stdlib.h>

void
sim_device_make(struct sim_device *device, uint64_t seed, bool busy)
{
	const uint64_t *n = device->number = device->params.number;

	device->random = seed;
	sim_link_make(&device->link, &device->params, busy);
	sim_host_make(&device->host, &device->params, &device->random);
	device->answered = xcalloc(n[SIM_INFLIGHT], sizeof *device->answered);
	device->flight = xcalloc(n[SIM_INFLIGHT], sizeof *device->flight);
	device->worker = xcalloc(n[SIM_WORKERS], sizeof *device->worker);
	device->stall_odds =
	    n[SIM_STALL1_ODDS] + n[SIM_STALL2_ODDS] + n[SIM_STALL3_ODDS];
}

void
sim_device_free(struct sim_device *device)
{
	sim_link_free(&device->link);
	sim_host_free(&device->host);
	free(device->answered);
	free(device->flight);
	free(device->worker);
	sim_params_free(&device->params);
}

void
sim_device_prepare(struct sim_device *device, const struct point *point,
                   bool remote)
{
	device->size = point->size;
	device->phase = random_below(&device->random, device->number[SIM_TICK]);
	sim_order_make(&device->order, point);
	sim_host_prepare(&device->host, point->cache, point->window, remote);
}

uint64_t
sim_device_next(struct sim_device *device)
{
	bool again = false;
	uint64_t address =
	    sim_order_next(&device->order, &device->random, &again);

	/* All lines of the window are flushed before each pass. */
	if (again && device->order.once)
		sim_cache_flush(&device->host.llc);
	return address;
}
