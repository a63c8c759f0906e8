/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Transfers with as many in flight as engine, link and host allow. */
#include "collect/sim/device.h"
#include "common/base/intmath.h"
#include "common/base/prng.h"
#include "common/sim/engine.h"

#include <string.h>

void
sim_device_begin(struct sim_device *device, bool both_ways)
{
	const uint64_t *n = device->number;

	sim_link_idle(&device->link);
	sim_host_idle(&device->host);
	memset(device->worker, 0, n[SIM_WORKERS] * sizeof *device->worker);
	device->next_worker = device->flights = 0;
	device->reader = device->writer = device->end = 0;
	device->turn = 0;
	if (both_ways)
		device->turn =
		    min_u64(div_round_up(device->size, LINE) * n[SIM_TURN],
		            n[SIM_TURN_MAX]);
}

/* Heap sift-down. */
static void
sink(struct sim_device *device, size_t at, struct sim_flight flight)
{
	struct sim_flight *heap = device->flight;

	for (size_t child; (child = 2 * at + 1) < device->flights; at = child) {
		if (child + 1 < device->flights &&
		    heap[child + 1].ready < heap[child].ready)
			child++;
		if (flight.ready <= heap[child].ready)
			break;
		heap[at] = heap[child];
	}
	heap[at] = flight;
}

static void
take_off(struct sim_device *device, struct sim_flight flight)
{
	struct sim_flight *heap = device->flight;
	size_t at = device->flights++;

	while (at && flight.ready < heap[(at - 1) / 2].ready) {
		heap[at] = heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	heap[at] = flight;
}

/* A worker sees the end of its transfer and continues with the next one. */
static void
finish(struct sim_device *device, struct sim_worker *worker, uint64_t now)
{
	device->end = max_u64(device->end, now);
	worker->free = now + device->number[SIM_LOOP];
}

/* Ends the read whose data arrive first. */
static uint64_t
land_next(struct sim_device *device)
{
	struct sim_flight first = device->flight[0];
	struct sim_worker *worker = &device->worker[first.worker];

	sink(device, 0, device->flight[--device->flights]);
	worker->landed = sim_link_land(&device->link, &first.read, first.ready,
	                               worker->landed);
	if (!--worker->left)
		finish(device, worker, worker->landed);
	return device->link.down;
}

/* The next worker, once it is free. */
static struct sim_worker *
take_worker(struct sim_device *device)
{
	struct sim_worker *worker = &device->worker[device->next_worker];

	while (worker->left)
		land_next(device);
	if (++device->next_worker == device->number[SIM_WORKERS])
		device->next_worker = 0;
	return worker;
}

/* The time at which the engine issues a read that a worker queued at `now`. */
static uint64_t
engine_read(struct sim_device *device, uint64_t address, uint64_t now)
{
	uint64_t cost = sim_engine_read(&device->link, device->number, address,
	                                device->size);

	return device->reader = max_u64(device->reader, now) + cost;
}

static uint64_t
engine_write(struct sim_device *device, uint64_t now)
{
	uint64_t cost = sim_engine_write(device->number, device->size);

	return device->writer = max_u64(device->writer, now) + cost;
}

void
sim_device_read(struct sim_device *device)
{
	const uint64_t *n = device->number;
	struct sim_link *link = &device->link;
	struct sim_worker *worker = take_worker(device);
	uint64_t address = sim_device_next(device);
	uint64_t now =
	    engine_read(device, address, worker->free + n[SIM_ISSUE]);
	struct sim_flight flight = {.worker =
	                                (size_t)(worker - device->worker)};
	struct tlp_walk walk;

	worker->landed = 0;
	tlp_walk_read(&walk, &link->rules, address, device->size);
	while (sim_link_next_read(link, &walk, &flight.read)) {
		if (device->flights == n[SIM_INFLIGHT])
			now = max_u64(now, land_next(device));
		flight.ready = sim_host_read(
		    &device->host, flight.read.address, flight.read.length,
		    sim_link_request(link, &flight.read, now));
		worker->left++;
		take_off(device, flight);
	}
}

/* Bytes of a burst that starts with this packet. */
static uint64_t
burst_length(const struct tlp_rules *rules, const struct tlp *first)
{
	uint64_t left =
	    rules->boundary - (first->address & (rules->boundary - 1));

	return max_u64(first->length, min_u64(rules->mrrs, left));
}

void
sim_device_write(struct sim_device *device)
{
	const uint64_t *n = device->number;
	struct sim_link *link = &device->link;
	struct sim_worker *worker = take_worker(device);
	uint64_t now = engine_write(device, worker->free + n[SIM_ISSUE]);
	uint64_t pause = n[SIM_BURST] + device->turn, room = 0, done;
	struct tlp_walk walk;
	struct tlp tlp;

	tlp_walk_write(&walk, &link->writes, sim_device_next(device),
	               device->size);
	while (tlp_next(&walk, &tlp)) {
		if (tlp.length > room) {
			now = max_u64(now, link->up) + pause;
			pause = n[SIM_BURST];
			room = burst_length(&link->writes, &tlp);
		}
		room -= tlp.length;
		now = sim_link_write(link, &tlp, now);
		done =
		    sim_host_write(&device->host, tlp.address, tlp.length, now);
		sim_link_return(link, &tlp, done + n[SIM_UPDATE]);
	}
	finish(device, worker,
	       link->up + random_noise(&device->random, n[SIM_JITTER]));
}

uint64_t
sim_device_end(struct sim_device *device)
{
	uint64_t tick = device->number[SIM_TICK];

	while (device->flights)
		land_next(device);
	return div_round_up(device->end, tick) * tick;
}
