#include "collect/sim_device.h"

#include "collect/sim_random.h"

#include <stdlib.h>
#include <string.h>

#define MILLION 1000000
#define WORD    4

static uint64_t
later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t
least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* How many of a size hold so many bytes. */
static uint64_t
pieces(uint64_t bytes, uint64_t size)
{
	return (bytes + size - 1) / size;
}

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

static uint64_t
next_address(struct sim_device *device)
{
	bool again = false;
	uint64_t address =
	    sim_order_next(&device->order, &device->random, &again);

	/* Before each pass all lines of the window are flushed. */
	if (again && device->order.once)
		sim_cache_flush(&device->host.llc);
	return address;
}

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

/*
 * Takes in the completions of a request, whose first one leaves at `ready`,
 * and puts the lines away as they come, one at a time: when that is done, if
 * those before were at `landed`.
 */
static uint64_t
land(struct sim_device *device, const struct sim_read *read, uint64_t ready,
     uint64_t landed, uint64_t copy)
{
	struct sim_link *link = &device->link;
	uint64_t start = sim_link_reply(link, read, ready);
	uint64_t first = sim_link_wire(link, least(read->length, LINE) +
	                                         link->rules.completion);
	uint64_t lines = pieces(read->length, LINE);

	return later(later(landed, start + first) + lines * copy,
	             link->down + copy);
}

/* One read with nothing else under way: when its data are put away. */
static uint64_t
read_alone(struct sim_device *device, uint64_t address, uint64_t now,
           uint64_t copy)
{
	struct sim_link *link = &device->link;
	uint64_t inflight = device->number[SIM_INFLIGHT], landed = 0;
	struct tlp_walk walk;
	struct sim_read read;
	size_t slot = 0;

	/* A transfer has at most so many requests, cut at pages as well. */
	memset(device->answered, 0,
	       least(inflight, 2 * pieces(device->size, link->rules.mrrs) + 1) *
	           sizeof *device->answered);
	tlp_walk_read(&walk, &link->rules, address, device->size);
	while (sim_link_next_read(link, &walk, &read)) {
		uint64_t *answered = &device->answered[slot], arrived, ready;

		arrived = sim_link_request(link, &read, later(now, *answered));
		ready = sim_host_read(&device->host, read.address, read.length,
		                      arrived);
		landed = land(device, &read, ready, landed, copy);
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

	tlp_walk_write(&walk, &link->rules, address, device->size);
	while (tlp_next(&walk, &tlp)) {
		uint64_t arrived, done;

		now += pieces(tlp.length, LINE) * copy;
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
	return read_alone(device, address, now, n[SIM_COPY_READ]) +
	       n[SIM_COMPLETE];
}

static uint64_t
command_latency(struct sim_device *device, uint64_t address, bool write_first)
{
	const uint64_t *n = device->number;
	uint64_t now = 0;

	if (write_first)
		now = write_alone(device, address, n[SIM_COMMAND_STORE], 0);
	return read_alone(device, address, now, 0) + n[SIM_COMMAND];
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
	uint64_t address = next_address(device), time;

	sim_link_idle(&device->link);
	sim_host_idle(&device->host);
	if (device->number[SIM_INTERFACE] == SIM_COMMANDS)
		time = command_latency(device, address, write_first);
	else
		time = engine_latency(device, address, write_first);
	return ticks(device, time + stall(device));
}

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
		device->turn = least(pieces(device->size, LINE) * n[SIM_TURN],
		                     n[SIM_TURN_MAX]);
}

/* Lets the flight at `at` sink to its place below those ready before it. */
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

/* A worker sees the end of its transfer and goes on to the next one. */
static void
finish(struct sim_device *device, struct sim_worker *worker, uint64_t now)
{
	now += device->number[SIM_COMPLETE];
	device->end = later(device->end, now);
	worker->free = now + device->number[SIM_LOOP];
}

/* Ends the flight that is ready first: when the link has brought its data. */
static uint64_t
land_next(struct sim_device *device)
{
	const uint64_t *n = device->number;
	struct sim_flight first = device->flight[0];
	struct sim_worker *worker = &device->worker[first.worker];

	sink(device, 0, device->flight[--device->flights]);
	worker->landed = land(device, &first.read, first.ready, worker->landed,
	                      n[SIM_COPY_READ]);
	if (!--worker->left)
		finish(device, worker, worker->landed);
	return device->link.down;
}

/* The next worker, once it is done. */
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

/* When the engine has a read ready that a worker has queued at `now`. */
static uint64_t
engine_read(struct sim_device *device, uint64_t now)
{
	const uint64_t *n = device->number;
	uint64_t cost = n[SIM_READ] +
	                pieces(device->size, n[SIM_CHUNK]) * n[SIM_READ_CHUNK];

	if (device->size % WORD)
		cost = later(cost, n[SIM_READ_ODD]);
	return device->reader = later(device->reader, now) + cost;
}

static uint64_t
engine_write(struct sim_device *device, uint64_t now)
{
	const uint64_t *n = device->number;
	uint64_t cost = n[SIM_WRITE] +
	                pieces(device->size, n[SIM_CHUNK]) * n[SIM_WRITE_CHUNK];

	return device->writer = later(device->writer, now) + cost;
}

void
sim_device_read(struct sim_device *device)
{
	const uint64_t *n = device->number;
	struct sim_link *link = &device->link;
	struct sim_worker *worker = take_worker(device);
	uint64_t now = engine_read(device, worker->free + n[SIM_ISSUE]);
	struct sim_flight flight = {.worker =
	                                (size_t)(worker - device->worker)};
	struct tlp_walk walk;

	worker->landed = 0;
	tlp_walk_read(&walk, &link->rules, next_address(device), device->size);
	while (sim_link_next_read(link, &walk, &flight.read)) {
		if (device->flights == n[SIM_INFLIGHT])
			now = later(now, land_next(device));
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
	uint64_t now = engine_write(device, worker->free + n[SIM_ISSUE]);
	uint64_t sent = 0, done;
	struct tlp_walk walk;
	struct tlp tlp;

	tlp_walk_write(&walk, &link->rules, next_address(device), device->size);
	while (tlp_next(&walk, &tlp)) {
		if (sent % link->rules.mrrs == 0)
			now = later(now, link->up) + n[SIM_BURST] +
			      (sent ? 0 : device->turn);
		sent += tlp.length;
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
	return (device->end + tick - 1) / tick * tick;
}
