/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/host/clock.h"

#include "rig/cmocka.h"
#include "rig/support.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct clock measured;

static int
open_clock(void **state)
{
	clock_open(&measured);
	return 0;
}

static uint64_t
raw_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void
wait_ns(uint64_t ns)
{
	uint64_t begin = raw_ns();

	while (raw_ns() - begin < ns)
		;
}

/* A clock with this many picoseconds per tick. */
static struct clock
clock_of(double ps)
{
	return (struct clock){.ps_per_tick = (uint64_t)(ps * 4294967296.0),
	                      .step = 1};
}

const struct fixtures fixtures = {open_clock, NULL};

TEST(ticks_become_picoseconds)
{
	static const struct {
		double ps_per_tick;
		uint64_t ticks, ps;
	} cases[] = {
	    {1000, 0, 0},
	    {1000, 1, 1000},
	    {1000, 123456789, UINT64_C(123456789000)},
	    {0.5, 1, 1},
	    {0.5, 2, 1},
	    {0.5, 3, 2},
	    {0.25, 1, 0},
	    {312.5, 1, 313},
	    {312.5, 2, 625},
	    /* A day at 3.2 GHz, with more than 64 bits in between. */
	    {312.5, UINT64_C(276480000000000), UINT64_C(86400000000000000)},
	    /* The slow counter of an arm64. */
	    {40000, 25000000, UINT64_C(1000000000000)},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct clock c = clock_of(cases[i].ps_per_tick);

		assert_int_equal(clock_ps(&c, cases[i].ticks), cases[i].ps);
	}
}

TEST(the_tick_is_in_nanoseconds)
{
	struct clock c = clock_of(312.5);

	assert_true(clock_tick_ns(&c) == 0.3125);
	c = clock_of(40000);
	assert_true(clock_tick_ns(&c) == 40);
	c.step = 3;
	assert_true(clock_tick_ns(&c) == 120);
}

TEST(the_step_divides_all_differences)
{
	static const struct {
		uint64_t reading[4];
		size_t n;
		uint64_t step;
	} cases[] = {
	    {{0}, 0, 1},
	    {{7}, 1, 1},
	    {{7, 7, 7, 7}, 4, 1},
	    {{7, 7, 8, 8}, 4, 1},
	    {{5, 47, 47, 68}, 4, 21},
	    {{5, 47, 110, 111}, 4, 1},
	    /* Readings of an AMD EPYC. */
	    {{882, 1113, 1302, 1428}, 4, 21},
	    {{UINT64_MAX - 79, 40, 80, 200}, 4, 40},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(clock_step(cases[i].reading, cases[i].n),
		                 cases[i].step);
}

TEST(no_reading_lies_between_two_steps)
{
	uint64_t first = counter_begin();
	uint64_t step = measured.step ? measured.step : UINT64_MAX;

	for (int i = 0; i < 10000; i++)
		assert_int_equal((counter_end() - first) % step, 0);
}

TEST(a_clock_says_what_it_is)
{
	assert_true(measured.name && *measured.name);
	assert_true(!strcmp(measured.source, "cpu") ||
	            !strcmp(measured.source, "kernel") ||
	            !strcmp(measured.source, "calibrated"));
	/* From 10 GHz to 1 MHz. */
	assert_true(clock_tick_ns(&measured) > 0.1);
	assert_true(clock_tick_ns(&measured) < 1000);
	assert_true(clock_ps(&measured, measured.overhead) < 10000000);
}

/* Within 1 % of the kernel's clock, in one of ten tries. */
TEST(it_runs_as_fast_as_the_kernels)
{
	double ratio = 0;

	for (int i = 0; i < 10 && (ratio < 0.99 || ratio > 1.01); i++) {
		uint64_t ns = raw_ns();
		uint64_t ticks = counter_begin();

		wait_ns(2000000);
		ticks = counter_end() - ticks;
		ns = raw_ns() - ns;
		ratio = (double)clock_ps(&measured, ticks) / 1000 / (double)ns;
	}
	assert_true(ratio > 0.99 && ratio < 1.01);
}

TEST(it_never_runs_back)
{
	uint64_t last = counter_begin();

	for (int i = 0; i < 100000; i++) {
		uint64_t begin = counter_begin();
		uint64_t end = counter_end();

		assert_true(begin >= last);
		assert_true(end >= begin);
		last = end;
	}
}

/* The overhead is the minimum: none of many readings is much below it. */
TEST(nothing_takes_the_overhead)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < 100000; i++) {
		uint64_t begin = counter_begin();
		uint64_t ticks = counter_end() - begin;

		least = ticks < least ? ticks : least;
	}
	assert_true(least <= 2 * measured.overhead + 1);
	assert_true(measured.overhead <= 2 * least + 1);
}

/* Ticks of a fence after stores to this many uncached lines. */
static uint64_t
ticks_after_stores(size_t lines)
{
	static volatile unsigned char memory[32 * 64];
	uint64_t begin;

	arch_flush((void *)memory, sizeof memory);
	for (size_t i = 0; i < lines; i++)
		memory[64 * i] = 1;
	begin = counter_begin();
	__sync_synchronize();
	return counter_end() - begin;
}

TEST(stores_before_it_are_not_timed)
{
	uint64_t none = UINT64_MAX, some = UINT64_MAX;

	for (int i = 0; i < 10000; i++) {
		uint64_t ticks = ticks_after_stores(0);

		none = ticks < none ? ticks : none;
		ticks = ticks_after_stores(32);
		some = ticks < some ? ticks : some;
	}
	assert_true(some <= 2 * none + 1);
}

TEST(drift_is_in_parts_per_million)
{
	struct clock fast = measured;
	double drift, more;

	wait_ns(20000000);
	drift = clock_drift_ppm(&measured);
	assert_true(drift > -2000 && drift < 2000);
	fast.ps_per_tick += fast.ps_per_tick / 100;
	more = clock_drift_ppm(&fast) - clock_drift_ppm(&measured);
	assert_true(more > 9000 && more < 11000);
}

/* Stops ------------------------------------------------------------------ */

#define SECOND UINT64_C(1000000000)

static bool
is_counted(const struct stops *stops)
{
	return stops->ns >= SECOND && stops->ns < 100 * SECOND;
}

/* Is stopped within two counted times and outside a third. Never returns. */
static void
be_stopped(void)
{
	struct stops looks = {0}, ends = {0}, outside = {0};

	stops_begin(&outside);
	stops_end(&outside);
	stops_begin(&looks);
	stops_begin(&ends);
	raise(SIGSTOP);
	stops_end(&ends);
	stops_look(&looks);
	stops_look(&looks);
	stops_look(&outside);
	stops_begin(&outside);
	stops_end(&outside);
	_exit(is_counted(&looks) && is_counted(&ends) && !outside.ns ? 0 : 1);
}

TEST(a_stop_counts_wherever_the_next_look_is)
{
	pid_t child = fork();
	int status;

	assert_int_not_equal(child, -1);
	if (!child)
		be_stopped();
	assert_int_equal(waitpid(child, &status, WUNTRACED), child);
	assert_true(WIFSTOPPED(status));
	usleep(1100000);
	assert_int_equal(kill(child, SIGCONT), 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static void
warn_of(const void *ns)
{
	const struct stops stops = {.ns = *(const uint64_t *)ns};

	stops_warn(&stops);
}

TEST(only_stops_are_warned_of)
{
	const uint64_t none = 0, some = 12 * SECOND;
	assert_child(warn_of, &none, 0, "", "");
	assert_child(
	    warn_of, &some, 0, "",
	    "t: the program was stopped for 12 s (as by Ctrl-Z): "
	    "elapsed_ns includes this, and the bandwidth is too low\n");
}
