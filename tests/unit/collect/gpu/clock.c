/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drift of a GPU's clock against the host's. */
#include "collect/gpu/gpu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static uint64_t host_ns, timer_ns;

/* Replaces the C library's. */
int
clock_gettime(clockid_t clock, struct timespec *time)
{
	(void)clock;
	time->tv_sec = (time_t)(host_ns / 1000000000);
	time->tv_nsec = (long)(host_ns % 1000000000);
	return 0;
}

/* Cycles of 0.5 ns, by a timer that gains 100 ppm. */
static bool
read_ticks(struct session *s, uint64_t duration, struct gpu_ticks *ticks)
{
	(void)s;
	*ticks = (struct gpu_ticks){.ns0 = timer_ns, .cycles0 = 2 * timer_ns};
	host_ns += duration;
	timer_ns += duration + duration / 10000;
	ticks->ns1 = timer_ns;
	ticks->cycles1 = 2 * timer_ns;
	return true;
}

static bool
start(struct session *s, enum gpu_program program, const struct gpu_args *args,
      uint64_t workers)
{
	(void)s;
	(void)args;
	(void)workers;
	assert_int_equal(program, GPU_OVERHEAD);
	return true;
}

static bool
wait(struct session *s)
{
	(void)s;
	return true;
}

static bool
read_results(struct session *s, void *to, size_t from, size_t size)
{
	(void)s;
	(void)from;
	memset(to, 1, size);
	return true;
}

static const struct gpu_driver driver = {.steady_part = 0.01,
                                         .read_ticks = read_ticks,
                                         .start = start,
                                         .wait = wait,
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

	(void)state;
	host_ns = 5000;
	timer_ns = 7000000;
	assert_true(gpu_clock_open(&s));
	gpu_describe_end(&s, &end);
	assert_null(preamble_get(&end, "clock_drift_ppm"));
	for (int i = 0; i < 10; i++)
		assert_true(gpu_clock_read(&s, &ps));
	assert_float_equal(ps, 500, 1e-9);
	gpu_describe_end(&s, &end);
	assert_string_equal(preamble_get(&end, "clock_drift_ppm"), "100.000");
	preamble_free(&end);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(drift_is_that_since_the_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
