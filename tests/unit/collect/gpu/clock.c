/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rate of a GPU's clock, and its drift against the host's. */
#include "collect/gpu/gpu.h"
#include "rig/cmocka.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

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

static void
drift_is_that_since_the_start(void **state)
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
static void
hardware_whose_clock_jumps_far_is_refused(void **state)
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

static void
clock_of_a_software_driver_is_not_judged(void **state)
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

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(drift_is_that_since_the_start),
	    cmocka_unit_test(hardware_whose_clock_jumps_far_is_refused),
	    cmocka_unit_test(clock_of_a_software_driver_is_not_judged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
