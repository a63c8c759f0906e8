/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The loops that time transfers, on an engine that ends them in any order. */
#include "collect/host/queue.h"

#include "common/base/intmath.h"
#include "rig/cmocka.h"

#define UNITS 23
#define SLOTS 12

static struct {
	uint64_t random;
	unsigned ready, under_way, most, most_ready; /* transfers */
	bool busy[SLOTS];
	uint32_t ended; /* slot of the transfer that is_done has found */
	unsigned put, taken, per_unit[UNITS];
	unsigned halts_at, fails_at; /* that transfer; 0: none */
	unsigned turns, stops_at;    /* of is_done; the process then */
	bool stopped;
	unsigned looks;
	uint64_t looked;    /* the longest wait of a look */
	uint64_t now, step; /* of the clock, in ns */
	uint64_t wait;      /* turns of is_done for a transfer */
	uint64_t slept;     /* ticks, in the first submit */
	volatile sig_atomic_t interrupted;
} engine;

static _Alignas(LINE) unsigned char memory[UNITS * LINE];
static uint64_t raw[8 * UNITS];
static struct series series;
static _Alignas(LINE) unsigned char other[LINE];
static struct dma_buffer buffer, second;
static struct clock counter = {.ps_per_tick = UINT64_C(1) << 32};
static struct session session;
static struct queue queue;
static struct request request;

/* Replaces the C library's: a look at the clock advances it. */
int
clock_gettime(clockid_t clock, struct timespec *time)
{
	engine.now += engine.step;
	if (engine.stops_at && engine.turns == engine.stops_at) {
		engine.now += UINT64_C(20000000000);
		engine.stopped = true;
	}
	time->tv_sec = (time_t)(engine.now / 1000000000);
	time->tv_nsec = (long)(engine.now % 1000000000);
	return 0;
}

/* In each pass, the first transfer finds all caches set and nothing begun. */
static void
put(struct session *s, uint32_t slot, uint64_t unit)
{
	assert_in_range(slot, 0, queue.slots - 1);
	assert_false(engine.busy[slot]);
	assert_int_equal(memory[unit * LINE], 0xa5);
	if (engine.put % UNITS == 0) {
		assert_int_equal(engine.under_way + engine.ready, 0);
		for (size_t i = 0; i < sizeof memory; i += LINE)
			assert_int_equal(memory[i], 0xa5);
		assert_int_equal(other[0], 0xa5);
		other[0] = 0;
	}
	engine.busy[slot] = true;
	engine.per_unit[unit]++;
	memory[unit * LINE] = 0;
	engine.put++;
	engine.ready++;
}

static bool
submit(struct session *s)
{
	assert_in_range(engine.ready, 1, queue.batch);
	engine.under_way += engine.ready;
	if (engine.ready > engine.most_ready)
		engine.most_ready = engine.ready;
	if (engine.under_way > engine.most)
		engine.most = engine.under_way;
	engine.ready = 0;
	if (!engine.slept) {
		engine.slept = counter_begin();
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
		engine.slept = counter_end() - engine.slept;
	}
	return true;
}

static bool
is_done(struct session *s)
{
	engine.turns++;
	if (!engine.under_way || engine.stopped)
		return engine.under_way;
	if (engine.wait ? engine.turns % engine.wait
	                : random_below(&engine.random, 2))
		return false;
	do
		engine.ended = (uint32_t)random_below(&engine.random, SLOTS);
	while (!engine.busy[engine.ended]);
	return true;
}

static bool
take(struct session *s, uint32_t *slot)
{
	*slot = engine.ended;
	engine.busy[*slot] = false;
	engine.under_way--;
	engine.taken++;
	if (engine.taken == engine.halts_at)
		engine.interrupted = 1;
	return engine.taken != engine.fails_at;
}

static bool
look(struct session *s, uint64_t ns)
{
	engine.looks++;
	engine.looked = ns > engine.looked ? ns : engine.looked;
	return ns <= UINT64_C(10000000000);
}

static uint64_t
own_clock(struct session *s, uint64_t ticks)
{
	return engine.taken;
}

static struct queue_type type = {.put = put,
                                 .submit = submit,
                                 .is_done = is_done,
                                 .take = take,
                                 .look = look};

static void
begin(const char *bench, uint32_t slots, uint32_t batch)
{
	memset(&engine, 0, sizeof engine);
	engine.step = 1000;
	type.ps = NULL;
	order_free(&buffer.order);
	memset(memory, 0, sizeof memory);
	buffer.memory.at = memory;
	buffer.unit = LINE;
	buffer.point = (struct point){
	    .size = LINE, .window = sizeof memory, .cache = CACHE_HOST_WARM};
	second = buffer;
	second.memory.at = other;
	second.point.window = LINE;
	order_begin(&buffer.order, UNITS, true, true);
	queue = (struct queue){.type = &type,
	                       .buffer = &buffer,
	                       .second = &second,
	                       .clock = &counter,
	                       .slots = slots,
	                       .batch = batch};
	series = (struct series){.raw = raw};
	request.bench = find_bench(bench);
	session = (struct session){.request = &request,
	                           .series = &series,
	                           .interrupted = &engine.interrupted};
}

/* As many as wanted, from all units alike, and never more than the slots. */
TEST(slots_are_full_and_never_fuller)
{
	static const uint32_t batches[] = {1, 3, UINT32_MAX};

	for (unsigned want = 1; want < 8 * UNITS; want += 5) {
		uint32_t slots = 1 + want % SLOTS;
		uint32_t batch = batches[want % 3];

		begin("bw_wr", slots, batch);
		engine.random = want;
		assert_true(queue_run(&session, &queue, want));
		assert_int_equal(engine.put, want);
		assert_int_equal(engine.taken, want);
		assert_int_equal(engine.most, want < slots ? want : slots);
		assert_in_range(engine.most_ready, 1, batch);
		assert_int_equal(series.n, 1);
		assert_int_equal(raw[0], want);
		assert_int_equal(raw[1], want * LINE);
		for (unsigned i = 0; i < UNITS; i++)
			assert_in_range(engine.per_unit[i], want / UNITS,
			                want / UNITS + 1);
		assert_true(raw[2] >= engine.slept);
	}
}

TEST(each_is_timed_alone)
{
	begin("lat_rd", SLOTS, UINT32_MAX);
	assert_true(queue_run(&session, &queue, 2 * UNITS + 3));
	assert_int_equal(engine.most, 1);
	assert_int_equal(series.n, 2 * UNITS + 3);
	assert_true(raw[0] >= engine.slept && raw[1] < engine.slept);
	begin("lat_rd", SLOTS, UINT32_MAX);
	type.ps = own_clock;
	assert_true(queue_run(&session, &queue, UNITS));
	for (unsigned i = 0; i < UNITS; i++)
		assert_int_equal(raw[i], i + 1);
}

/* What is under way ends; samples before a failure stay. */
TEST(a_signal_or_a_failure_ends_it)
{
	begin("bw_wr", 4, UINT32_MAX);
	engine.halts_at = 9;
	assert_true(queue_run(&session, &queue, UNITS));
	assert_in_range(engine.put, 9, 9 + 3);
	assert_int_equal(engine.taken, engine.put);
	assert_int_equal(raw[0], engine.put);
	begin("lat_rd", 4, UINT32_MAX);
	engine.halts_at = 5;
	assert_true(queue_run(&session, &queue, UNITS));
	assert_int_equal(series.n, 5);
	begin("lat_rd", 4, UINT32_MAX);
	engine.fails_at = 5;
	assert_false(queue_run(&session, &queue, UNITS));
	assert_int_equal(series.n, 4);
	begin("bw_wr", 4, UINT32_MAX);
	engine.fails_at = 5;
	assert_false(queue_run(&session, &queue, UNITS));
	assert_int_equal(series.n, 0);
	assert_int_equal(engine.taken, 5);
}

/*
 * A look at the device delays it, so a wait of less than a millisecond has
 * none; the limit counts from the last transfer, without stops of the process.
 */
TEST(only_what_is_late_is_looked_at)
{
	static const char *const bench[] = {"lat_rd", "bw_wr"};

	for (size_t i = 0; i < ARRAY_LEN(bench); i++) {
		/* 30 looks at the clock for each: 0.3 ms. */
		begin(bench[i], 1, UINT32_MAX);
		engine.step = 10000;
		engine.wait = UINT64_C(30) * 1024;
		assert_true(queue_run(&session, &queue, 3));
		assert_int_equal(engine.looks, 0);
		/* 3 s for each. */
		begin(bench[i], 1, UINT32_MAX);
		engine.step = 100000000;
		engine.wait = UINT64_C(30) * 1024;
		assert_true(queue_run(&session, &queue, UNITS));
		assert_in_range(engine.looks, 20 * UNITS, 30 * UNITS);
		assert_in_range(engine.looked, 2000000000, 3000000000);
		assert_int_equal(queue.stops.ns, 0);
		/* A stop of 20 s, after which it has ended. */
		begin(bench[i], 1, UINT32_MAX);
		engine.step = 100000000;
		engine.wait = UINT64_C(30) * 1024;
		engine.stops_at = 15 * 1024;
		assert_true(queue_run(&session, &queue, 1));
		assert_in_range(engine.looked, 1000000000, 3000000000);
		assert_int_equal(queue.stops.ns / 1000000000, i ? 20 : 0);
		/* 13 s. */
		begin(bench[i], 1, UINT32_MAX);
		engine.step = 100000000;
		engine.wait = UINT64_C(130) * 1024;
		assert_false(queue_run(&session, &queue, 1));
		assert_in_range(engine.looked, 10000000001, 10200000000);
	}
}
