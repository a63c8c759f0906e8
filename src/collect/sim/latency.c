/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Transfers one at a time, and the clock that times them. */
#include "collect/sim/device.h"
#include "common/base/intmath.h"
#include "common/base/prng.h"

#include <string.h>

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

/* One read with nothing else under way: when its data are put away. */
static uint64_t
read_alone(struct sim_device *device, uint64_t address, uint64_t now)
{
	struct sim_link *link = &device->link;
	uint64_t inflight = device->number[SIM_INFLIGHT], landed = 0;
	struct tlp_walk walk;
	struct sim_read read;
	size_t slot = 0;

	/* A transfer has at most so many requests, cut at pages as well. */
	memset(device->answered, 0,
	       min_u64(inflight,
	               2 * div_round_up(device->size, link->rules.mrrs) + 1) *
	           sizeof *device->answered);
	tlp_walk_read(&walk, &link->rules, address, device->size);
	while (sim_link_next_read(link, &walk, &read)) {
		uint64_t *answered = &device->answered[slot], arrived, ready;

		arrived =
		    sim_link_request(link, &read, max_u64(now, *answered));
		ready = sim_host_read(&device->host, read.address, read.length,
		                      arrived);
		landed = sim_link_land(link, &read, ready, landed);
		*answered = link->down;
		if (++slot == inflight)
			slot = 0;
	}
	return landed;
}

/* One write: when its last packet has left. */
static uint64_t
write_alone(struct sim_device *device, uint64_t address, uint64_t now,
            uint64_t copy)
{
	struct sim_link *link = &device->link;
	struct tlp_walk walk;
	struct tlp tlp;

	tlp_walk_write(&walk, &link->writes, address, device->size);
	while (tlp_next(&walk, &tlp)) {
		uint64_t arrived, done;

		if (tlp.address != address)
			now += div_round_up(tlp.length, LINE) * copy;
		arrived = sim_link_write(link, &tlp, now);
		done = sim_host_write(&device->host, tlp.address, tlp.length,
		                      arrived);
		sim_link_return(link, &tlp, done + device->number[SIM_UPDATE]);
	}
	return link->up;
}

static uint64_t
engine_latency(struct sim_device *device, uint64_t address, bool write_first)
{
	const uint64_t *n = device->number;
	uint64_t now = n[SIM_ISSUE];

	if (write_first)
		now = write_alone(device, address, now + n[SIM_STORE],
		                  n[SIM_COPY_WRITE]) +
		      n[SIM_GAP];
	return read_alone(device, address, now);
}

static uint64_t
command_latency(struct sim_device *device, uint64_t address, bool write_first)
{
	const uint64_t *n = device->number;
	uint64_t now = 0;

	if (write_first)
		now = write_alone(device, address, n[SIM_COMMAND_STORE], 0);
	return read_alone(device, address, now) + n[SIM_COMMAND];
}

/* What the clock shows: how many of its ticks fall into the time. */
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
	uint64_t address = sim_device_next(device), time;

	sim_link_idle(&device->link);
	sim_host_idle(&device->host);
	if (device->number[SIM_INTERFACE] == SIM_COMMANDS)
		time = command_latency(device, address, write_first);
	else
		time = engine_latency(device, address, write_first);
	return ticks(device, time + stall(device));
}
