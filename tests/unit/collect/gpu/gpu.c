/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts that need no GPU: spans of workers, flushed lines, cache states. */
#include "collect/gpu/gpu.h"

#include "rig/cmocka.h"

#include <time.h>

/* A worker with a mark after every step, each of a number of ns. */
static struct gpu_span
even(uint64_t first, uint64_t step)
{
	struct gpu_span span = {{first}};

	for (size_t k = 1; k < GPU_MARKS; k++)
		span.mark[k] = span.mark[k - 1] + step;
	return span;
}

/* 160 transfers of 100 ns each, a mark after every 10, one worker later. */
TEST(only_what_all_did_at_once_counts)
{
	struct gpu_span span[] = {even(1000, 1000), even(1500, 1000)};
	struct gpu_total total = {0};

	assert_true(gpu_steady(span, 2, 160, 1, &total));
	assert_int_equal(total.ns, 15500);
	assert_float_equal(total.transfers, 310, 1e-9);
	/* A second launch is added; marks behind the last step do not count. */
	span[0].mark[17] = 1;
	assert_true(gpu_steady(span, 1, 160, 1, &total));
	assert_int_equal(total.ns, 31500);
	assert_float_equal(total.transfers, 470, 1e-9);
}

TEST(each_worker_has_its_own_pace)
{
	struct gpu_span span[] = {even(1000, 100), even(1000, 400)};
	struct gpu_total total = {0};

	assert_true(gpu_steady(span, 2, 160, 1, &total));
	assert_int_equal(total.ns, 1600);
	assert_float_equal(total.transfers, 200, 1e-9);
}

/*
 * The second worker gets a third of the first one's pace until that one is
 * done, and then four thirds: what it does alone must not count.
 */
TEST(a_worker_that_speeds_up_later_is_not_overrated)
{
	struct gpu_span span[] = {even(1000, 300), even(1000, 900)};
	struct gpu_total total = {0};
	uint64_t end = 1000 + 16 * 300;

	for (size_t k = 1; k < GPU_MARKS; k++) {
		uint64_t slow = 1000 + k * 900;

		span[1].mark[k] = slow <= end ? slow : end + (slow - end) / 4;
	}
	assert_true(gpu_steady(span, 2, 16, 1, &total));
	assert_int_equal(total.ns, 4800);
	/* 16 and 5 1/3; the pace changes within one interval. */
	assert_in_range((uint64_t)(total.transfers * 100), 2133, 2167);
}

TEST(workers_that_did_not_meet_give_nothing)
{
	struct gpu_span span[] = {even(1000, 100), even(2600, 100)};
	struct gpu_total total = {0};

	assert_false(gpu_steady(span, 2, 160, 1, &total));
	assert_false(gpu_steady(span, 0, 160, 1, &total));
	assert_false(gpu_steady(span, 1, 160, 1601, &total));
	assert_int_equal(total.ns, 0);
	assert_true(total.transfers == 0);
}

/* Data survive any cache operation. */
TEST(flushed_lines_keep_what_is_in_them)
{
	unsigned char data[4096], copy[4096];

	for (size_t i = 0; i < sizeof data; i++)
		data[i] = (unsigned char)(i * 7);
	memcpy(copy, data, sizeof data);
	arch_flush(data + 3, sizeof data - 5);
	assert_memory_equal(data, copy, sizeof data);
}

/* A GPU whose window is in this memory. */
static struct gpu
gpu_of(void *at, uint64_t window, enum cache state)
{
	struct gpu gpu = {.point = {.cache = state, .window = window}};

	gpu.memory.host.at = at;
	return gpu;
}

/* With a clock on which all loads take no time, no state can be verified. */
TEST(a_state_that_is_not_there_is_said)
{
	static const struct {
		enum cache cache;
		double hit_ns, miss_ns;
		const char *why;
	} cases[] = {
	    {CACHE_COLD, -100, -10, NULL},
	    {CACHE_HOST_WARM, 10, 100, NULL},
	    {CACHE_DEVICE_WARM, 10, 100, NULL},
	    {CACHE_COLD, 10, 100,
	     "--cache cold: the window of 8192 bytes cannot be brought into "
	     "that state here: of a sample of lines, 100% are in a cache"},
	    {CACHE_HOST_WARM, -100, -10,
	     "--cache host-warm: the window of 8192 bytes cannot be brought "
	     "into that state here: of a sample of lines, 0% are in a cache"},
	    {CACHE_COLD, 100, 149,
	     "--cache cold: loads take 100 ns from the caches and 149 ns from "
	     "memory: the state of the window cannot be verified"},
	};
	static _Alignas(4096) unsigned char window[8192];

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct gpu gpu = gpu_of(window, sizeof window, cases[i].cache);
		struct session s = {.state = &gpu};

		gpu.states.hit_ns = cases[i].hit_ns;
		gpu.states.miss_ns = cases[i].miss_ns;
		assert_int_equal(gpu_state_check(&s), !cases[i].why);
		if (cases[i].why) {
			assert_string_equal(s.failure.text, cases[i].why);
			assert_int_equal(s.failure.status, STATUS_ABSENT);
		}
		free(s.failure.text);
	}
}

/* An area of the caches' size is made once. */
TEST(caches_are_thrashed)
{
	struct gpu gpu = gpu_of(NULL, 8192, CACHE_THRASHED);
	struct session s = {.state = &gpu};
	struct thrash *thrash = &gpu.states.thrash;

	assert_false(gpu_state_set(&s));
	assert_int_equal(s.failure.status, STATUS_ABSENT);
	free(s.failure.text);
	gpu.states.llc = 65536;
	for (int i = 0; i < 2; i++) {
		void *before = thrash->at;

		assert_true(gpu_state_set(&s));
		assert_true(!before || before == thrash->at);
		assert_int_equal(thrash->size, 147456);
		assert_int_equal(((unsigned char *)thrash->at)[147392], 0xa5);
	}
	thrash_free(thrash);
}

/* Clocks ----------------------------------------------------------------- */

static uint64_t host_ns, timer_ns;
static double jumps; /* every other reading's rate is higher by this part */

/* Replaces the C library's. */
int
clock_gettime(clockid_t clock, struct timespec *time)
{
	time->tv_sec = (time_t)(host_ns / 1000000000);
	time->tv_nsec = (long)(host_ns % 1000000000);
	return 0;
}

/* Cycles of 0.5 ns, by a timer that gains 100 ppm. */
static bool
read_ticks(struct session *s, uint64_t duration, struct gpu_ticks *ticks)
{
	static bool odd;

	odd = !odd;
	*ticks = (struct gpu_ticks){.ns0 = timer_ns, .cycles0 = 2 * timer_ns};
	host_ns += duration;
	timer_ns += duration + duration / 10000;
	ticks->ns1 = timer_ns;
	ticks->cycles1 = 2 * timer_ns;
	if (odd)
		ticks->cycles0 -= (uint64_t)(jumps * (double)(ticks->cycles1 -
		                                              ticks->cycles0));
	return true;
}

static bool
start(struct session *s, enum gpu_program program, const struct gpu_args *args,
      uint64_t workers)
{
	assert_true(program == GPU_OVERHEAD || program == GPU_TRANSFER);
	return true;
}

static bool
write_order(struct session *s, enum gpu_area area, const void *from,
            size_t size)
{
	assert_int_equal(area, AREA_ORDER);
	return true;
}

static bool
wait(struct session *s)
{
	return true;
}

static bool
read_results(struct session *s, void *to, size_t from, size_t size)
{
	memset(to, 1, size);
	return true;
}

static const struct gpu_driver driver = {.steady_part = 0.01,
                                         .read_ticks = read_ticks,
                                         .start = start,
                                         .wait = wait,
                                         .most_turns = 64,
                                         .write = write_order,
                                         .read = read_results};

TEST(drift_is_that_since_the_start)
{
	static const volatile sig_atomic_t interrupted;
	static uint32_t cycles[1024];
	struct gpu gpu = {.driver = &driver,
	                  .bdf = "none",
	                  .cycles = cycles,
	                  .errors = GPU_NO_COUNT};
	struct session s = {.state = &gpu, .interrupted = &interrupted};
	struct preamble end = {0};
	double ps;

	host_ns = 5000;
	timer_ns = 7000000;
	assert_true(gpu_clock_open(&s));
	gpu_describe_end(&s, &end);
	assert_null(preamble_get(&end, "clock_drift_ppm"));
	for (int i = 0; i < 10; i++)
		assert_true(gpu_clock_read(&s, 2000000, &ps));
	assert_float_equal(ps, 500, 1e-9);
	gpu_describe_end(&s, &end);
	assert_string_equal(preamble_get(&end, "clock_drift_ppm"), "100.000");
	preamble_free(&end);
}

/* A device for latencies of 0x01010101 cycles. */
static void
begin(struct session *s, struct gpu *gpu, struct series *series)
{
	static const volatile sig_atomic_t interrupted;
	static uint32_t cycles[1024], entries[64];
	static uint64_t raw[16];
	static const struct request request = {.bench = &benches[LAT_RD]};

	host_ns = timer_ns = 1000000000;
	*series = (struct series){.raw = raw};
	*gpu = (struct gpu){.driver = &driver,
	                    .bdf = "none",
	                    .cycles = cycles,
	                    .entries = entries,
	                    .unit = 64,
	                    .point = {.cache = CACHE_HOST_WARM}};
	order_begin(&gpu->order, 1, false, false);
	*s = (struct session){.state = gpu,
	                      .request = &request,
	                      .interrupted = &interrupted,
	                      .series = series};
}

/* Of two rates; what is less than 1 % is not noticed. */
TEST(hardware_whose_clock_jumps_far_is_refused)
{
	static const struct {
		double by;
		bool works;
		unsigned retries;
		const char *spread;
	} rows[] = {
	    {0.009, true, 0, NULL},  {0.011, true, 8, "1.1"},
	    {0.24, true, 8, "24.0"}, {0.26, false, 8, NULL},
	    {1, false, 8, NULL},
	};
	struct session s;
	struct gpu gpu;
	struct series series;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct preamble end = {0};
		const char *spread;

		begin(&s, &gpu, &series);
		jumps = 0;
		assert_true(gpu_clock_open(&s));
		jumps = rows[i].by;
		assert_int_equal(gpu_run(&s, 16), rows[i].works);
		assert_int_equal(gpu.clock.retries, rows[i].retries);
		assert_int_equal(series.n, rows[i].works ? 16 : 0);
		gpu.errors = GPU_NO_COUNT;
		gpu_describe_end(&s, &end);
		spread = preamble_get(&end, "clock_spread_pct");
		assert_int_equal(!spread, !rows[i].spread);
		if (spread)
			assert_string_equal(spread, rows[i].spread);
		preamble_free(&end);
		if (!rows[i].works)
			assert_non_null(
			    strstr(s.failure.text, "changes all the time"));
		free(s.failure.text);
		s.failure.text = NULL;
		assert_int_equal(gpu_clock_open(&s), rows[i].works);
		if (!rows[i].works)
			assert_non_null(
			    strstr(s.failure.text, "does not settle"));
		free(s.failure.text);
	}
	jumps = 0;
}

TEST(clock_of_a_software_driver_is_not_judged)
{
	struct session s;
	struct gpu gpu;
	struct series series;

	begin(&s, &gpu, &series);
	gpu.software = true;
	jumps = 1;
	assert_true(gpu_clock_open(&s));
	assert_true(gpu_run(&s, 16));
	/* The mean of 250 and 500 ps. */
	assert_float_equal(gpu.clock.ps, 375, 1e-9);
	assert_int_equal(series.n, 16);
	assert_int_equal(series.raw[15], 0x01010101 * UINT64_C(375));
	assert_int_equal(gpu.clock.retries, 1);
	assert_float_equal(gpu.clock.spread, 1, 1e-9);
	jumps = 0;
}
