/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "diff/rank_test.h"
#include "common/base/util.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOST 64 /* runs on a side */

static void
assert_near(double got, double wanted, double within)
{
	if (!(fabs(got - wanted) <= within))
		fail_msg("%.17g, not %.17g", got, wanted);
}

/* From 0 to 1; the same numbers on every machine. */
static double
uniform(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return ((double)(*state >> 12) + 0.5) / 0x1p52;
}

/* A skewed value like a latency: a floor, a tail, sometimes a jump. */
static double
latency(uint64_t *state)
{
	double tail = -10 * log(uniform(state));

	return 500 + tail + (uniform(state) < 0.1 ? 100 : 0);
}

/* Ascending; on a grid of `tick`, unless that is 0. */
static void
draw(double x[], size_t n, double shift, double tick, uint64_t *state)
{
	for (size_t i = 0; i < n; i++) {
		x[i] = latency(state) + shift;
		if (tick > 0)
			x[i] = tick * floor(x[i] / tick);
	}
	runs_sort(x, n);
}

static void
test_median(void **state)
{
	double x[] = {9, 4, 1, 7};

	(void)state;
	runs_sort(NULL, 0);
	runs_sort(x, 4);
	assert_true(isnan(runs_median(NULL, 0)));
	assert_true(runs_median(x, 1) == 1);
	assert_true(runs_median(x, 2) == 2.5);
	assert_true(runs_median(x, 3) == 4);
	assert_true(runs_median(x, 4) == 5.5);
}

/*
 * The ranks in tables of the sign test, in R
 * n <- 6:25; pmax(qbinom(0.025, n, 0.5), 1)
 */
static void
test_median_interval_ranks(void **state)
{
	static const size_t ranks[] = {1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4,
	                               4, 5, 5, 5, 6, 6, 6, 7, 7, 8};
	double x[1000];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(x); i++)
		x[i] = (double)i + 1;
	for (size_t n = 0; n < 5; n++)
		assert_true(isnan(runs_median_interval(x, n).low) &&
		            isnan(runs_median_interval(x, n).high));
	for (size_t n = 5; n <= 25; n++) {
		struct interval got = runs_median_interval(x, n);

		assert_true(got.low == (double)ranks[n - 5]);
		assert_true(got.high == (double)(n + 1 - ranks[n - 5]));
	}
	/* qbinom(0.025, 1000, 0.5) */
	assert_true(runs_median_interval(x, 1000).low == 469);
}

/* The number of bits set in a mask. */
static size_t
bits(unsigned mask)
{
	return (size_t)__builtin_popcount(mask);
}

/* U of the values whose bits are set against the others; ties count half. */
static double
u_of(const double value[], size_t n, unsigned mask)
{
	double u = 0;

	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < n; k++) {
			if (!(mask >> i & 1) || mask >> k & 1)
				continue;
			u += value[i] > value[k]    ? 1
			     : value[i] == value[k] ? 0.5
			                            : 0;
		}
	}
	return u;
}

/* p by its definition, over all divisions of the values. */
static double
enumerated_p(const double value[], size_t n, size_t m)
{
	double mean = (double)(m * (n - m)) / 2;
	double off = fabs(u_of(value, n, (1U << m) - 1) - mean);
	double far = 0, all = 0;

	for (unsigned mask = 0; mask < 1U << n; mask++) {
		if (bits(mask) != m)
			continue;
		all++;
		far += fabs(u_of(value, n, mask) - mean) >= off;
	}
	return far / all;
}

static void
test_p_is_that_of_all_divisions(void **state)
{
	uint64_t seed = 3;

	(void)state;
	for (int round = 0; round < 120; round++) {
		size_t m = 1 + (size_t)(5 * uniform(&seed));
		size_t n = 1 + (size_t)(5 * uniform(&seed));
		double grid = 2 + floor(20 * uniform(&seed));
		double value[MOST];

		for (size_t i = 0; i < m + n; i++)
			value[i] = floor(grid * uniform(&seed));
		runs_sort(value, m);
		runs_sort(value + m, n);
		assert_near(runs_u_test(value, m, value + m, n),
		            enumerated_p(value, m + n, m), 1e-12);
	}
}

/*
 * Hollander and Wolfe (1973), p. 69, the example of R's wilcox.test:
 * wilcox.test(x, y, conf.int = TRUE, exact = TRUE)
 */
static void
test_an_example(void **state)
{
	double x[] = {0.80, 0.83, 1.89, 1.04, 1.45,
	              1.38, 1.91, 1.64, 0.73, 1.46};
	double y[] = {1.15, 0.88, 0.90, 0.74, 1.21};
	struct shift shift;

	(void)state;
	runs_sort(x, ARRAY_LEN(x));
	runs_sort(y, ARRAY_LEN(y));
	/* 764 of the 3003 divisions */
	assert_near(runs_u_test(x, 10, y, 5), 764.0 / 3003, 1e-14);
	shift = runs_shift(y, 5, x, 10);
	assert_near(shift.median, 0.305, 1e-14);
	assert_near(shift.limits.low, -0.15, 1e-14);
	assert_near(shift.limits.high, 0.76, 1e-14);
}

static void
test_p_at_its_ends(void **state)
{
	static const double low[] = {1, 2, 3, 4, 5};
	static const double high[] = {6, 7, 8, 9, 10};
	double same[MOST], other[MOST];

	(void)state;
	assert_near(runs_u_test(low, 5, high, 5), 2.0 / 252, 1e-15);
	assert_near(runs_u_test(high, 4, low, 3), 2.0 / 35, 1e-15);
	assert_true(runs_u_test(low, 5, high, 0) == 1);
	assert_true(runs_u_test(low, 0, high, 5) == 1);
	for (size_t i = 0; i < MOST; i++) {
		same[i] = 7;
		other[i] = 8;
	}
	assert_near(runs_u_test(same, 10, same, 6), 1, 1e-15);
	assert_true(runs_u_test(same, MOST, same, MOST) == 1);
	assert_true(runs_u_test(same, MOST, other, MOST) < 1e-15);
}

static int
by_value(const void *a, const void *b)
{
	const double *x = a;
	const double *y = b;

	return (*x > *y) - (*x < *y);
}

/*
 * The limits are differences of the rank in tables of the test for 0.05,
 * two-sided; in R qwilcox(0.025, m, n) - 1.
 */
static void
test_shift_by_sorting(void **state)
{
	static const struct {
		size_t m, n, beyond;
	} rows[] = {
	    {5, 5, 2},    {5, 6, 3},     {5, 10, 8},   {6, 6, 5},
	    {7, 7, 8},    {8, 8, 13},    {8, 5, 6},    {10, 10, 23},
	    {15, 15, 64}, {20, 20, 127}, {12, 20, 69},
	};
	static double difference[MOST * MOST];
	uint64_t seed = 4;

	(void)state;
	for (size_t row = 0; row < ARRAY_LEN(rows); row++) {
		double x[MOST], y[MOST];
		size_t m = rows[row].m, n = rows[row].n, pairs = m * n;
		struct shift got;

		draw(x, m, 0, row % 2 ? 3 : 0, &seed);
		draw(y, n, -5, row % 2 ? 3 : 0, &seed);
		for (size_t i = 0; i < pairs; i++)
			difference[i] = y[i / m] - x[i % m];
		qsort(difference, pairs, sizeof *difference, by_value);
		got = runs_shift(x, m, y, n);
		assert_near(
		    got.median,
		    (difference[(pairs - 1) / 2] + difference[pairs / 2]) / 2,
		    1e-12);
		assert_true(got.limits.low == difference[rows[row].beyond]);
		assert_true(got.limits.high ==
		            difference[pairs - 1 - rows[row].beyond]);
	}
}

static void
test_shift_of_few(void **state)
{
	static const double x[] = {1, 2, 3, 4, 5};
	static const double y[] = {11, 12, 13, 14, 15};
	static const double zero[] = {-0.0};
	struct shift got = runs_shift(x, 1, y, 1);

	(void)state;
	assert_true(got.median == 10);
	assert_true(isnan(got.limits.low) && isnan(got.limits.high));
	got = runs_shift(y, 5, x, 4);
	assert_true(got.median == -10.5);
	assert_true(isnan(got.limits.low) && isnan(got.limits.high));
	assert_true(isnan(runs_shift(x, 0, y, 5).median));
	assert_true(isnan(runs_shift(x, 5, y, 0).median));
	assert_true(runs_shift(zero, 1, zero, 1).median == 0);
	/* Around 0, where doubles are densest. */
	assert_true(runs_shift(x, 5, x, 5).median == 0);
	got = runs_shift((double[]){-1.7e308, 1}, 2, (double[]){1.7e308}, 1);
	assert_true(isinf(got.median));
}

static void
test_pairs(void **state)
{
	double five[] = {-1, 2, 3, 4, 8};
	double ten[] = {-9, 1, 2, 3, 4, 5, 6, 7, 8, 99};
	struct shift got = runs_paired_shift(five, 5);

	(void)state;
	assert_true(got.median == 3);
	assert_true(got.limits.low == -1 && got.limits.high == 8);
	assert_int_equal(runs_paired_differ(five, 5, 0), DIFFERS_NO);
	assert_int_equal(runs_paired_differ(five + 1, 4, 0), DIFFERS_UNCLEAR);
	/* One of ten may have the other sign: p is 22 / 1024. */
	got = runs_paired_shift(ten, 10);
	assert_true(got.median == 4.5);
	assert_true(got.limits.low == 1 && got.limits.high == 8);
	assert_int_equal(runs_paired_differ(ten, 10, 4.5), DIFFERS_YES);
	assert_int_equal(runs_paired_differ(ten, 10, 4.6), DIFFERS_NO);
	ten[1] = -1;
	assert_int_equal(runs_paired_differ(ten, 10, 0), DIFFERS_NO);
	ten[1] = 0;
	assert_int_equal(runs_paired_differ(ten, 10, 0), DIFFERS_NO);
	for (size_t i = 0; i < 5; i++)
		five[i] = -1;
	assert_int_equal(runs_paired_differ(five, 5, 0), DIFFERS_YES);
	five[4] = 0;
	assert_int_equal(runs_paired_differ(five, 5, 0), DIFFERS_NO);
	assert_true(isnan(runs_paired_shift(NULL, 0).median));
	assert_int_equal(runs_paired_differ(NULL, 0, 0), DIFFERS_UNCLEAR);
}

/*
 * By hand: x and y are 1 to 50 and 13 to 62, of which 38 are equal. The rank
 * sum of x is 528 below its mean; its variance is 50 * 50 / 12 * (101 - 38 * 6
 * / (100 * 99)).
 */
static void
test_p_of_many(void **state)
{
	double x[50], y[50];

	(void)state;
	for (size_t i = 0; i < 50; i++) {
		x[i] = (double)i + 1;
		y[i] = (double)i + 13;
	}
	assert_near(runs_u_test(x, 50, y, 50), 0.000275934009250757, 1e-15);
}

static void
test_differ(void **state)
{
	static const double x[] = {1, 1, 1, 1, 1, 1};
	static const double y[] = {1.5, 1.5, 1.5, 1.5, 1.5, 1.5};

	(void)state;
	assert_int_equal(runs_differ(x, 5, y, 5, 0), DIFFERS_YES);
	assert_int_equal(runs_differ(y, 5, x, 6, 0.5), DIFFERS_YES);
	assert_int_equal(runs_differ(x, 6, y, 5, 0.6), DIFFERS_NO);
	assert_int_equal(runs_differ(x, 5, x, 5, 0), DIFFERS_NO);
	assert_int_equal(runs_differ(x, 4, y, 6, 0), DIFFERS_UNCLEAR);
	assert_int_equal(runs_differ(x, 6, y, 4, 9), DIFFERS_UNCLEAR);
	assert_int_equal(runs_differ(x, 0, y, 0, 0), DIFFERS_UNCLEAR);
}

enum { TRIALS = 4000 };

/* Four standard deviations of a share of TRIALS trials. */
static double
tolerance(double share)
{
	return 4 * sqrt(share * (1 - share) / TRIALS);
}

/* The true median of latency() + 37, of the mixture, by bisection. */
static double
true_median(void)
{
	double low = 0, high = 100;

	while (high - low > 1e-9) {
		double x = (low + high) / 2;
		double below = 0.9 * (1 - exp(-x / 10));

		if (below < 0.5)
			low = x;
		else
			high = x;
	}
	return 537 + low;
}

static void
test_median_interval_covers(void **state)
{
	static const struct {
		size_t n;
		double wanted; /* 1 - 2 * pbinom(rank - 1, n, 0.5) */
	} rows[] = {{5, 0.9375}, {6, 0.96875}, {10, 0.978515625}, {20, 0.9586}};
	double median = true_median();
	uint64_t seed = 5;

	(void)state;
	for (size_t row = 0; row < ARRAY_LEN(rows); row++) {
		double wanted = rows[row].wanted;
		int covered = 0;

		for (int i = 0; i < TRIALS; i++) {
			double x[MOST];
			struct interval got;

			draw(x, rows[row].n, 37, 0, &seed);
			got = runs_median_interval(x, rows[row].n);
			covered += got.low <= median && median <= got.high;
		}
		assert_near((double)covered / TRIALS, wanted,
		            tolerance(wanted));
	}
}

/*
 * The coverage follows from the distribution of U, in R
 * 1 - 2 * pwilcox(qwilcox(0.025, m, n) - 1, m, n),
 * for any shift; on a grid it is at least that.
 */
static void
test_shift_covers(void **state)
{
	static const struct {
		size_t m, n;
		double shift, tick, wanted;
	} rows[] = {
	    {5, 5, 0, 0, 1 - 8.0 / 252},  {5, 5, -70, 0, 1 - 8.0 / 252},
	    {5, 5, 12, 4, 1 - 8.0 / 252}, {10, 10, 3, 0, 0.9567},
	    {10, 10, 8, 4, 0.9567},       {60, 60, 2, 0, 0.95},
	};
	uint64_t seed = 6;

	(void)state;
	for (size_t row = 0; row < ARRAY_LEN(rows); row++) {
		double shift = rows[row].shift, tick = rows[row].tick;
		double part, wanted = rows[row].wanted;
		int covered = 0;

		for (int i = 0; i < TRIALS; i++) {
			double x[MOST], y[MOST];
			struct interval got;

			draw(x, rows[row].m, 0, tick, &seed);
			draw(y, rows[row].n, shift, tick, &seed);
			got = runs_shift(x, rows[row].m, y, rows[row].n).limits;
			covered += got.low <= shift && shift <= got.high;
		}
		part = (double)covered / TRIALS;
		assert_true(part >= wanted - tolerance(wanted));
		assert_true(tick > 0 || part <= wanted + tolerance(wanted));
	}
}

/* False alarms, and missed differences. */
static void
test_differ_errs_seldom(void **state)
{
	static const struct {
		size_t m, n;
		double tick;
	} rows[] = {{5, 5, 0},   {5, 5, 4},   {6, 10, 4},
	            {10, 10, 0}, {10, 10, 9}, {60, 55, 4}};
	uint64_t seed = 7;

	(void)state;
	for (size_t row = 0; row < ARRAY_LEN(rows); row++) {
		int alarms = 0, found = 0;

		for (int i = 0; i < TRIALS; i++) {
			double x[MOST], y[MOST], far[MOST];
			size_t m = rows[row].m, n = rows[row].n;

			draw(x, m, 0, rows[row].tick, &seed);
			draw(y, n, 0, rows[row].tick, &seed);
			draw(far, n, 300, rows[row].tick, &seed);
			alarms += runs_differ(x, m, y, n, 0) == DIFFERS_YES;
			found += runs_differ(x, m, far, n, 0) == DIFFERS_YES;
		}
		assert_true(alarms <=
		            TRIALS * (RUNS_ALPHA + tolerance(RUNS_ALPHA)));
		assert_true(found > 0.99 * TRIALS);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_median),
	    cmocka_unit_test(test_median_interval_ranks),
	    cmocka_unit_test(test_p_is_that_of_all_divisions),
	    cmocka_unit_test(test_an_example),
	    cmocka_unit_test(test_p_at_its_ends),
	    cmocka_unit_test(test_shift_by_sorting),
	    cmocka_unit_test(test_shift_of_few),
	    cmocka_unit_test(test_pairs),
	    cmocka_unit_test(test_p_of_many),
	    cmocka_unit_test(test_differ),
	    cmocka_unit_test(test_median_interval_covers),
	    cmocka_unit_test(test_shift_covers),
	    cmocka_unit_test(test_differ_errs_seldom),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
