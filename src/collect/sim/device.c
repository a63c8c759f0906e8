/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The simulated device: the addresses of its transfers, single ones and the
 * clock that times them, and as many in flight as engine, link and host allow.
 */
#include "collect/sim/device.h"

#include "common/base/intmath.h"
#include "common/sim/link.h"

#define MILLION 1000000

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
	const uint64_t *n = device->number;
	bool sleeps = n[SIM_SLEEP] && point->idle >= n[SIM_SLEEP];

	device->size = point->size;
	device->wake = sleeps ? n[SIM_WAKE] : 0;
	device->phase = random_below(&device->random, device->number[SIM_TICK]);
	sim_order_make(&device->order, point);
	sim_host_prepare(&device->host, point->cache, point->window, remote);
}

/* Addresses --------------------------------------------------------------- */

void
sim_order_make(struct sim_order *order, const struct point *point)
{
	unsigned bits = 1;

	*order = (struct sim_order){.unit = point_unit(point),
	                            .units = point_units(point),
	                            .offset = point->offset,
	                            .random = point->pattern == PATTERN_RANDOM,
	                            .once = point->cache == CACHE_COLD};
	while (UINT64_C(1) << bits < order->units)
		bits++;
	order->mask = (UINT64_C(1) << bits) - 1;
	order->shift = (bits + 1) / 2;
}

/*
 * A bijection on the numbers up to the mask: multiplying by an odd factor and
 * adding a shift are both invertible. Numbers that are no unit are mapped
 * again, which keeps it a bijection on the units.
 */
static uint64_t
shuffle(const struct sim_order *order, uint64_t n)
{
	do {
		n = ((n ^ order->key[0]) * UINT64_C(0x9e3779b97f4a7c15)) &
		    order->mask;
		n ^= n >> order->shift;
		n = (n * (order->key[1] | 1)) & order->mask;
		n ^= n >> order->shift;
	} while (n >= order->units);
	return n;
}

uint64_t
sim_order_next(struct sim_order *order, uint64_t *random, bool *again)
{
	uint64_t n;

	if (order->random && !order->once) {
		n = random_below(random, order->units);
		return n * order->unit + order->offset;
	}
	*again = !order->next;
	if (*again && order->random) {
		order->key[0] = random_draw(random) & order->mask;
		order->key[1] = random_draw(random);
	}
	n = order->next++;
	if (order->next == order->units)
		order->next = 0;
	if (order->random)
		n = shuffle(order, n);
	return n * order->unit + order->offset;
}

/* The address of the next transfer of the point. */
static uint64_t
next_address(struct sim_device *device)
{
	bool again = false;
	uint64_t address =
	    sim_order_next(&device->order, &device->random, &again);

	/* All lines of the window are flushed before each pass. */
	if (again && device->order.once)
		sim_cache_flush(&device->host.llc);
	return address;
}

/* Single transfers -------------------------------------------------------- */

/* The three kinds of stall exclude each other. */
static uint64_t
stall(struct sim_device *device)
{
	const uint64_t *n = device->number;
	uint64_t r,
	    odds = n[SIM_STALL1_ODDS] + n[SIM_STALL2_ODDS] + n[SIM_STALL3_ODDS];

	if (!odds)
		return 0;
	r = random_below(&device->random, MILLION);
	if (r >= odds)
		return 0;
	for (size_t i = SIM_STALL1; i <= SIM_STALL3; i += 3) {
		if (r < n[i + 2])
			return n[i] +
			       random_below(&device->random, n[i + 1] + 1);
		r -= n[i + 2];
	}
	return 0;
}

uint64_t
sim_device_latency(struct sim_device *device, bool write_first)
{
	struct sim_transfer transfer = {next_address(device), device->size,
	                                write_first};
	uint64_t tick = device->number[SIM_TICK];
	uint64_t end, passed;

	sim_link_idle(&device->link);
	sim_host_idle(&device->host);
	end = device->phase + sim_engine_alone(&device->link, &device->host,
	                                       device->answered, &transfer);
	end += device->wake + stall(device);
	/* What the clock shows: the number of its ticks within the time. */
	passed = end / tick;
	device->phase = (end - passed * tick + device->number[SIM_LOOP]) % tick;
	return passed * tick;
}

/* Many transfers ---------------------------------------------------------- */

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

void
sim_device_read(struct sim_device *device)
{
	const uint64_t *n = device->number;
	struct sim_link *link = &device->link;
	struct sim_worker *worker = take_worker(device);
	uint64_t address = next_address(device);
	uint64_t now = device->reader =
	    max_u64(device->reader, worker->free + n[SIM_ISSUE]) +
	    sim_engine_read(link, n, address, device->size);
	struct sim_flight flight = {.worker =
	                                (size_t)(worker - device->worker)};
	struct tlp_walk walk;

	worker->landed = 0;
	tlp_walk_start(&walk, &link->rules, TLP_MRD, address, device->size);
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

void
sim_device_write(struct sim_device *device)
{
	const uint64_t *n = device->number;
	struct sim_link *link = &device->link;
	struct sim_worker *worker = take_worker(device);
	const struct tlp_rules *rules = &link->writes;
	uint64_t now = device->writer =
	    max_u64(device->writer, worker->free + n[SIM_ISSUE]) +
	    sim_engine_write(n, device->size);
	uint64_t pause = n[SIM_BURST] + device->turn, room = 0, left, done;
	struct tlp_walk walk;
	struct tlp tlp;

	tlp_walk_start(&walk, rules, TLP_MWR, next_address(device),
	               device->size);
	while (tlp_next(&walk, &tlp)) {
		/* A burst ends at the next boundary. */
		if (tlp.length > room) {
			now = max_u64(now, link->up) + pause;
			pause = n[SIM_BURST];
			left = rules->boundary -
			       (tlp.address & (rules->boundary - 1));
			room = max_u64(tlp.length, min_u64(rules->mrrs, left));
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
