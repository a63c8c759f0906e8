/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the part that counts traffic, with counts of a fake kernel. */
#include "collect/pmu/find_search.h"

#include "common/base/util.h"
#include "rig/support.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define SPOTS    4
#define COUNTERS 6
#define ROUNDS   3

/* Two units with two parts each; the first part of each has two counters. */
static struct pmu_access sockets[] = {{.cpu = 0, .socket = "0"}};
static struct pmu_unit units[] = {
    {.unit = "iio0", .at = sockets, .n = 1},
    {.unit = "iio1", .at = sockets, .n = 1},
};
static const struct {
	size_t unit;
	int part;
} places[COUNTERS] = {{0, 0}, {0, 0}, {0, 1}, {1, 0}, {1, 0}, {1, 1}};

/* Counts in the quiet and busy interval of each round. */
typedef uint64_t counts[COUNTERS][2 * ROUNDS];

static struct {
	const uint64_t (*count)[2 * ROUNDS];
	size_t interval; /* of the next pass */
	uint64_t value[COUNTERS], enabled, running;
	uint64_t running_share; /* per cent */
	size_t reads, fail_at;  /* the read that fails; 0: none */
	int nenabled, enable_error;
	bool refuse_pass;
} fake;

static int
fake_open(struct perf_event_attr *attr, int cpu, int group)
{
	(void)cpu;
	(void)group;
	errno = EINVAL;
	return attr->config == 99 ? -1 : (int)attr->config;
}

static int
fake_enable(int fd)
{
	(void)fd;
	fake.nenabled++;
	errno = fake.enable_error;
	return fake.enable_error ? -1 : 0;
}

static ssize_t
fake_read(int fd, void *to, size_t size)
{
	const uint64_t group[] = {1, fake.enabled, fake.running,
	                          fake.value[fd]};

	if (++fake.reads == fake.fail_at)
		return 0;
	assert_int_equal(size, sizeof group);
	memcpy(to, group, sizeof group);
	return (ssize_t)size;
}

static int
fake_close(int fd)
{
	(void)fd;
	return 0;
}

static const struct pmu_calls fake_kernel = {
    .open = fake_open,
    .enable = fake_enable,
    .read = fake_read,
    .close = fake_close,
};

/* Takes a millisecond. */
static bool
pass(void *context, bool busy)
{
	(void)context;
	if (fake.refuse_pass)
		return false;
	assert_int_equal(fake.interval % 2, busy);
	for (size_t i = 0; i < COUNTERS; i++)
		fake.value[i] += fake.count[i][fake.interval];
	fake.enabled += 1000000;
	fake.running += 10000 * fake.running_share;
	fake.interval++;
	return true;
}

struct machine {
	struct pmu_plan plan;
	struct pmu_counter counter[COUNTERS];
	struct pmu_source source[COUNTERS];
	struct pmu_search search;
};

static void
open_machine(struct machine *m, const counts given)
{
	size_t at;

	memset(&fake, 0, sizeof fake);
	fake.count = given;
	fake.running_share = 100;
	*m = (struct machine){
	    .plan = {.counters = {.calls = &fake_kernel, .n = COUNTERS}}};
	m->plan.counters.counter = m->counter;
	m->plan.source = m->source;
	m->search = (struct pmu_search){
	    .plan = &m->plan, .rounds = ROUNDS, .pass = pass};
	for (size_t i = 0; i < COUNTERS; i++) {
		m->counter[i] =
		    (struct pmu_counter){.together = i, .config.word = {i}};
		m->source[i] =
		    (struct pmu_source){.unit = &units[places[i].unit],
		                        .at = sockets,
		                        .part = places[i].part};
	}
	assert_true(pmu_open(&m->plan.counters, &at));
}

/* Checks the verdict, and the first spot by the index of its counter. */
static void
judged(const counts given, enum pmu_verdict wanted, size_t counter)
{
	const struct pmu_spot *best, *next;
	struct machine m;
	size_t at;

	open_machine(&m, given);
	assert_true(pmu_search_run(&m.search, &at));
	assert_int_equal(m.search.nspots, SPOTS);
	assert_int_equal(pmu_search_judge(&m.search, &best, &next), wanted);
	if (wanted == PMU_NONE) {
		assert_null(best);
	} else {
		assert_ptr_equal(best->unit, &units[places[counter].unit]);
		assert_int_equal(best->part, places[counter].part);
		assert_non_null(next);
		assert_ptr_not_equal(best, next);
	}
	pmu_search_free(&m.search);
}

static void
the_part_that_moves_is_found(void **state)
{
	static const counts one = {
	    {7, 8, 9, 7, 8, 9}, {0, 0, 0, 0, 0, 0}, {5, 500, 6, 400, 4, 600},
	    {1, 0, 0, 1, 0, 0}, {0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}};
	const struct pmu_spot *best, *next;
	struct machine m;
	size_t at;

	(void)state;
	judged(one, PMU_FOUND, 2);
	open_machine(&m, one);
	assert_true(pmu_search_run(&m.search, &at));
	assert_int_equal(fake.nenabled, COUNTERS);
	pmu_search_judge(&m.search, &best, &next);
	/* Counts of a millisecond, per second. */
	assert_float_equal(best->quiet, 5000, 0.1);
	assert_float_equal(best->busy, 500000, 0.1);
	assert_float_equal(best->busy_min, 400000, 0.1);
	assert_float_equal(best->quiet_max, 6000, 0.1);
	assert_float_equal(pmu_spot_rise(best), 495000, 0.1);
	pmu_search_free(&m.search);
}

/* Units of both sockets have the same name and parts. */
static void
sockets_are_told_apart(void **state)
{
	static const counts moves = {{0}, {0}, {0}, {1, 900, 1, 900, 1, 900}};
	static const struct pmu_access both[] = {{.cpu = 0, .socket = "0"},
	                                         {.cpu = 2, .socket = "1"}};
	const struct pmu_spot *best, *next;
	struct machine m;
	size_t at;

	(void)state;
	open_machine(&m, moves);
	for (size_t i = 0; i < COUNTERS; i++) {
		m.source[i].unit = &units[0];
		m.source[i].at = &both[places[i].unit];
	}
	assert_true(pmu_search_run(&m.search, &at));
	assert_int_equal(m.search.nspots, SPOTS);
	assert_int_equal(pmu_search_judge(&m.search, &best, &next), PMU_FOUND);
	assert_ptr_equal(best->at, &both[1]);
	assert_int_equal(best->part, 0);
	pmu_search_free(&m.search);
}

static void
counters_of_a_part_are_added_up(void **state)
{
	/* 50 + 70 are twice 60: just clear. One less is unclear. */
	static const counts enough = {
	    {0, 60, 0, 60, 0, 60}, {0, 0, 0, 0, 0, 0},    {0, 0, 0, 0, 0, 0},
	    {0, 50, 0, 50, 0, 50}, {0, 70, 0, 70, 0, 70}, {0, 0, 0, 0, 0, 0}};
	static const counts short_of_it = {
	    {0, 60, 0, 60, 0, 60}, {0, 0, 0, 0, 0, 0},    {0, 0, 0, 0, 0, 0},
	    {0, 50, 0, 50, 0, 49}, {0, 70, 0, 70, 0, 70}, {0, 0, 0, 0, 0, 0}};

	(void)state;
	judged(enough, PMU_FOUND, 3);
	judged(short_of_it, PMU_UNCLEAR, 3);
}

static void
what_does_not_move_is_not_found(void **state)
{
	static const counts nothing = {{0}};
	static const counts steady = {{9, 9, 9, 9, 9, 9}, {0, 0, 0, 0, 0, 0},
	                              {5, 6, 6, 5, 5, 6}, {1, 1, 1, 1, 1, 1},
	                              {2, 2, 2, 2, 2, 2}, {3, 3, 3, 3, 3, 3}};
	/* More in total, but not in the second round. */
	static const counts once = {{0}, {0}, {0, 90, 10, 9, 0, 90}};

	(void)state;
	judged(nothing, PMU_NONE, 0);
	judged(steady, PMU_NONE, 0);
	judged(once, PMU_NONE, 0);
}

static void
two_that_move_are_not_clear(void **state)
{
	static const counts equal = {
	    {0, 50, 0, 50, 0, 50}, {0}, {0}, {0, 50, 0, 50, 0, 50}};
	/* Noise elsewhere exceeds what rises in every round. */
	static const counts noise = {
	    {0, 50, 0, 50, 0, 50}, {0}, {0}, {0, 900, 900, 0, 0, 300}};

	(void)state;
	judged(equal, PMU_UNCLEAR, 0);
	judged(noise, PMU_UNCLEAR, 0);
}

static void
counters_that_take_turns_are_scaled(void **state)
{
	static const counts one = {{0}, {0}, {1, 100, 1, 100, 1, 100}};
	struct machine m;
	size_t at;

	(void)state;
	open_machine(&m, one);
	fake.running_share = 25;
	assert_true(pmu_search_run(&m.search, &at));
	assert_float_equal(m.search.spot[1].busy, 400000, 0.1);
	pmu_search_free(&m.search);
	open_machine(&m, one);
	fake.running_share = 0;
	assert_false(pmu_search_run(&m.search, &at));
	assert_int_equal(errno, ENODATA);
	assert_int_equal(at, 0);
	pmu_search_free(&m.search);
}

static void
failures_say_where(void **state)
{
	static const counts one = {{0}, {0}, {1, 100, 1, 100, 1, 100}};
	struct machine m;
	size_t at;

	(void)state;
	/* The third counter, before and after an interval: CPU offline. */
	for (size_t i = 0; i < 2; i++) {
		open_machine(&m, one);
		fake.fail_at = i * COUNTERS + 3;
		assert_false(pmu_search_run(&m.search, &at));
		assert_int_equal(errno, ENODEV);
		assert_int_equal(at, 2);
		assert_int_equal(fake.interval, i);
		pmu_search_free(&m.search);
	}
	open_machine(&m, one);
	fake.enable_error = EACCES;
	assert_false(pmu_search_run(&m.search, &at));
	assert_int_equal(errno, EACCES);
	assert_int_equal(at, 0);
	pmu_search_free(&m.search);
	open_machine(&m, one);
	fake.refuse_pass = true;
	assert_false(pmu_search_run(&m.search, &at));
	assert_int_equal(errno, ECANCELED);
	pmu_search_free(&m.search);
}

static void
only_parts_that_are_counted_are_spots(void **state)
{
	static const counts one = {{0}, {0}, {1, 100, 1, 100, 1, 100}};
	struct machine m;
	size_t at;

	(void)state;
	open_machine(&m, one);
	pmu_close(&m.plan.counters);
	m.counter[2].config.word[0] = 99; /* the kernel refuses it */
	m.source[5].part = -1;
	assert_true(pmu_open(&m.plan.counters, &at));
	assert_true(pmu_search_run(&m.search, &at));
	assert_int_equal(m.search.nspots, 2);
	pmu_search_free(&m.search);
	open_machine(&m, one);
	for (size_t i = 0; i < COUNTERS; i++)
		m.source[i].part = -1;
	assert_true(pmu_search_run(&m.search, &at));
	assert_int_equal(m.search.nspots, 0);
	assert_int_equal(fake.reads, 0);
	pmu_search_free(&m.search);
}

static size_t shown;

static void
show(void *context, double done)
{
	(void)context;
	assert_float_equal(done, (double)++shown / (2 * ROUNDS), 1e-6);
}

static void
progress_is_told(void **state)
{
	static const counts one = {{0}, {0}, {1, 100, 1, 100, 1, 100}};
	struct machine m;
	size_t at;

	(void)state;
	open_machine(&m, one);
	m.search.progress = show;
	assert_true(pmu_search_run(&m.search, &at));
	assert_int_equal(shown, 2 * ROUNDS);
	pmu_search_free(&m.search);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_part_that_moves_is_found),
	    cmocka_unit_test(sockets_are_told_apart),
	    cmocka_unit_test(counters_of_a_part_are_added_up),
	    cmocka_unit_test(what_does_not_move_is_not_found),
	    cmocka_unit_test(two_that_move_are_not_clear),
	    cmocka_unit_test(counters_that_take_turns_are_scaled),
	    cmocka_unit_test(failures_say_where),
	    cmocka_unit_test(only_parts_that_are_counted_are_spots),
	    cmocka_unit_test(progress_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
