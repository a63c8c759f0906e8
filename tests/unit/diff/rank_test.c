/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "diff/rank_test.h"
#include "common/base/number.h"
#include "rig/cmocka.h"

#include <math.h>

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
	sort_numbers(x, n);
}

TEST(test_median)
{
	double x[] = {9, 4, 1, 7};

	sort_numbers(NULL, 0);
	sort_numbers(x, 4);
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
TEST(test_median_interval_ranks)
{
	static const size_t ranks[] = {1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4,
	                               4, 5, 5, 5, 6, 6, 6, 7, 7, 8};
	double x[1000];

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

/* Mean ranks of value[i] among all n values. */
static double
mean_rank(const double value[], size_t n, size_t i)
{
	double rank = 0.5;

	for (size_t k = 0; k < n; k++)
		rank += value[k] < value[i]    ? 1
		        : value[k] == value[i] ? 0.5
		                               : 0;
	return rank;
}

/*
 * The statistic of Brunner and Munzel (2000) by its definition: ranks among all
 * values and within each side.
 */
static double
brunner_munzel(const double x[], size_t m, const double y[], size_t n)
{
	double all[2 * MOST], mean[2] = {0}, variance[2] = {0};
	double runs[2] = {(double)m, (double)n};

	memcpy(all, x, m * sizeof *x);
	memcpy(all + m, y, n * sizeof *y);
	for (size_t i = 0; i < m + n; i++)
		mean[i >= m] += mean_rank(all, m + n, i) / runs[i >= m];
	for (size_t i = 0; i < m + n; i++) {
		int side = i >= m;
		double within =
		    side ? mean_rank(y, n, i - m) : mean_rank(x, m, i);
		double off = mean_rank(all, m + n, i) - within - mean[side] +
		             (runs[side] + 1) / 2;

		variance[side] += off * off / (runs[side] - 1);
	}
	return runs[0] * runs[1] * (mean[1] - mean[0]) /
	       ((runs[0] + runs[1]) *
	        sqrt(runs[0] * variance[0] + runs[1] * variance[1]));
}

/* The pain scores of Brunner and Munzel (2000): R's lawstat has 3.1375. */
TEST(test_reference)
{
	static const double x[] = {1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 2, 4, 1, 1};
	static const double y[] = {3, 3, 4, 3, 1, 2, 3, 1, 1, 5, 4};

	assert_near(brunner_munzel(x, 14, y, 11), 3.1375, 5e-5);
}

/* Within the limits the reference does not reject, beyond them it does. */
TEST(test_limits_are_those_of_the_test)
{
	static const struct {
		size_t m, n;
		double t; /* R: qt(0.975, min(m, n) - 1) */
	} rows[] = {{5, 5, 2.776445},   {5, 9, 2.776445},   {12, 6, 2.570582},
	            {10, 10, 2.262157}, {20, 21, 2.093024}, {60, 41, 2.021075}};
	uint64_t seed = 4;

	for (size_t round = 0; round < 40 * ARRAY_LEN(rows); round++) {
		size_t row = round % ARRAY_LEN(rows);
		size_t m = rows[row].m, n = rows[row].n;
		double x[MOST], y[MOST], moved[MOST];
		struct shift got;

		draw(x, m, 0, round % 2 ? 3 : 0, &seed);
		draw(y, n, -5, round % 2 ? 3 : 0, &seed);
		got = runs_shift(x, m, y, n);
		assert_true(got.limits.low <= got.median &&
		            got.median <= got.limits.high);
		for (int side = -1; side <= 1; side += 2) {
			double limit =
			    side < 0 ? got.limits.low : got.limits.high;
			double inside, outside;

			for (size_t i = 0; i < n; i++)
				moved[i] = y[i] - limit + side * 1e-7;
			inside = side * -brunner_munzel(x, m, moved, n);
			for (size_t i = 0; i < n; i++)
				moved[i] = y[i] - limit - side * 1e-7;
			outside = side * -brunner_munzel(x, m, moved, n);
			assert_true(inside <= rows[row].t);
			assert_true(outside > rows[row].t);
		}
	}
}

TEST(test_shift_by_sorting)
{
	static double difference[MOST * MOST];
	uint64_t seed = 4;

	for (size_t round = 0; round < 200; round++) {
		double x[MOST], y[MOST];
		size_t m = 1 + (size_t)(20 * uniform(&seed));
		size_t n = 1 + (size_t)(20 * uniform(&seed));
		size_t pairs = m * n;

		draw(x, m, 0, round % 2 ? 3 : 0, &seed);
		draw(y, n, -5, round % 2 ? 3 : 0, &seed);
		for (size_t i = 0; i < pairs; i++)
			difference[i] = y[i / m] - x[i % m];
		sort_numbers(difference, pairs);
		assert_near(
		    runs_shift(x, m, y, n).median,
		    (difference[(pairs - 1) / 2] + difference[pairs / 2]) / 2,
		    1e-12);
	}
}

TEST(test_shift_of_few)
{
	static const double x[] = {1, 2, 3, 4, 5};
	static const double y[] = {11, 12, 13, 14, 15};
	static const double zero[] = {-0.0};
	struct shift got = runs_shift(x, 1, y, 1);

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

/* P(W at least as far from its mean) over all signs; ties have mean ranks. */
static double
signed_rank_p(const double d[], size_t n)
{
	double rank[16], absolute[16], sum = 0, positive = 0, far = 0;

	for (size_t i = 0; i < n; i++)
		absolute[i] = fabs(d[i]);
	for (size_t i = 0; i < n; i++) {
		rank[i] = mean_rank(absolute, n, i);
		sum += rank[i];
		positive += d[i] > 0 ? rank[i] : d[i] == 0 ? rank[i] / 2 : 0;
	}
	for (unsigned signs = 0; signs < 1U << n; signs++) {
		double w = 0;

		for (size_t i = 0; i < n; i++)
			w += signs >> i & 1 ? rank[i] : 0;
		far += fabs(w - sum / 2) >= fabs(positive - sum / 2) - 1e-9;
	}
	return far / (double)(1U << n);
}

/*
 * Depression scores of Hollander and Wolfe (1973), p. 29: R has
 * wilcox.test(x, y, paired = TRUE, conf.int = TRUE): 0.46, 0.01 to 0.786.
 */
TEST(test_pairs_of_a_book)
{
	double x[] = {1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
	double y[] = {0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};
	struct shift got;

	for (size_t i = 0; i < ARRAY_LEN(x); i++)
		x[i] -= y[i];
	assert_near(signed_rank_p(x, ARRAY_LEN(x)), 0.03906, 5e-6);
	sort_numbers(x, ARRAY_LEN(x));
	got = runs_paired_shift(x, ARRAY_LEN(x));
	assert_near(got.median, 0.46, 1e-12);
	assert_near(got.limits.low, 0.01, 1e-12);
	assert_near(got.limits.high, 0.786, 1e-12);
}

TEST(test_pairs)
{
	uint64_t seed = 8;

	for (size_t round = 0; round < 60; round++) {
		size_t n = RUNS_ENOUGH_PAIRS + round % 7;
		double d[MOST], moved[MOST];
		struct shift got;

		draw(d, n, -510, 0, &seed);
		got = runs_paired_shift(d, n);
		for (int side = -1; side <= 1; side += 2) {
			double limit =
			    side < 0 ? got.limits.low : got.limits.high;

			for (size_t i = 0; i < n; i++)
				moved[i] = d[i] - limit + side * 1e-7;
			assert_true(signed_rank_p(moved, n) > RUNS_ALPHA);
			for (size_t i = 0; i < n; i++)
				moved[i] = d[i] - limit - side * 1e-7;
			assert_true(signed_rank_p(moved, n) <= RUNS_ALPHA);
		}
	}
	assert_true(isnan(runs_paired_shift(NULL, 0).median));
	assert_true(
	    isnan(runs_paired_shift((double[]){1, 2, 3, 4, 5}, 5).limits.low));
}

/* Tables of the test end lower; here are its exact limits, summed by hand. */
TEST(test_many_pairs)
{
	static const struct {
		size_t n, beyond;
	} cases[] = {{50, 434}, {60, 648}, {80, 1211}, {100, 1955}};
	uint64_t seed = 10;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		size_t n = cases[i].n, low = 0, high = 0;
		double d[100];
		struct shift got;

		for (size_t k = 0; k < n; k++)
			d[k] = uniform(&seed);
		sort_numbers(d, n);
		got = runs_paired_shift(d, n);
		for (size_t k = 0; k < n; k++) {
			for (size_t l = k; l < n; l++) {
				double mean = (d[k] + d[l]) / 2;

				low += mean < got.limits.low;
				high += mean > got.limits.high;
			}
		}
		assert_int_equal(low, high);
		assert_in_range(low, cases[i].beyond - 1, cases[i].beyond);
	}
}

TEST(test_differs)
{
	assert_int_equal(shift_differs(&(struct shift){1, {0, 2}, 0, 0, 0}, 0),
	                 DIFFERS_NO);
	assert_int_equal(
	    shift_differs(&(struct shift){-1, {-2, 0}, 0, 0, 0}, 0),
	    DIFFERS_NO);
	assert_int_equal(shift_differs(&(struct shift){2, {1, 3}, 0, 0, 0}, 2),
	                 DIFFERS_YES);
	assert_int_equal(
	    shift_differs(&(struct shift){-2, {-3, -1}, 0, 0, 0}, 2.1),
	    DIFFERS_NO);
	assert_int_equal(
	    shift_differs(&(struct shift){9, {NAN, NAN}, 0, 0, 0}, 0),
	    DIFFERS_UNCLEAR);
}

/*
 * Integrals of Student's density by Simpson's rule: two sides of 5 runs with
 * equal spread have 8 degrees of freedom, with spreads as 1 to 3 they have 4.88
 * and 4 count, 6 pairs have 5.
 */
TEST(test_chance)
{
	double x[5], y[5], d[6] = {1, 2, 3, 4, 5, 6};
	struct shift s;

	for (size_t i = 0; i < 5; i++) {
		x[i] = (double)i;
		y[i] = 10 + (double)i;
	}
	s = runs_shift(x, 5, y, 5);
	assert_near(s.mean, 10, 1e-12);
	assert_near(s.error, 1, 1e-12);
	assert_near(shift_chance(&s, 0), 0.5, 1e-12);
	assert_near(shift_chance(&s, 2), 0.04025811898, 1e-9);
	assert_near(shift_chance(&s, -2), 1 - 0.04025811898, 1e-9);
	assert_near(shift_chance(&s, 8), 2.183413e-05, 1e-12);
	for (size_t i = 0; i < 5; i++)
		y[i] = 10 + 3 * (double)i;
	s = runs_shift(x, 5, y, 5);
	assert_near(s.error * s.error, 5, 1e-12);
	assert_near(shift_chance(&s, 5 * s.error), 0.003745216941, 1e-9);
	s = runs_paired_shift(d, 6);
	assert_near(s.mean, 3.5, 1e-12);
	assert_near(shift_chance(&s, 5 * s.error), 0.00205235799, 1e-9);
	/* Without a spread, any excess is certain. */
	s = runs_shift((double[]){1, 1, 1, 1, 1}, 5, (double[]){2, 2, 2, 2, 2},
	               5);
	assert_true(shift_chance(&s, 0.1) == 0 && shift_chance(&s, 0) == 1);
}

/*
 * The least runs N with which the product of
 * pnorm(1.959964 * distance / half * sqrt(N / n) - qnorm(1 - miss)) is 0.8.
 */
TEST(test_runs_to_decide)
{
	static const struct {
		struct prospect p[2];
		size_t n, runs;
	} cases[] = {
	    {{{10, 3, 3.04, 0.025}}, 1, 20},
	    {{{10, 3, 3.03, 0.025}}, 1, 21},
	    {{{10, 3, 100, 0.025}}, 1, 11},
	    {{{10, 3, 0.01, 0.025}}, 1, RUNS_MOST + 1},
	    {{{10, 3, -1, 0.025}}, 1, RUNS_MOST + 1},
	    {{{10, 0, -1, 0.025}}, 1, RUNS_MOST + 1},
	    {{{10, 3, 3.5, 0.025}, {10, 3, 3.5, 0.025}}, 2, 20},
	    {{{10, 3, 3.5, 0.001}}, 1, 30},
	    {{{10, 3, 3.5, 0.025}, {10, 0.1, 3.5, 0.025}}, 2, 16},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_int_equal(runs_to_decide(cases[i].p, cases[i].n),
		                 cases[i].runs);
}

TEST(test_overlap_by_pairs)
{
	uint64_t seed = 9;

	for (int round = 0; round < 100; round++) {
		size_t m = 1 + (size_t)(9 * uniform(&seed));
		size_t n = 1 + (size_t)(9 * uniform(&seed));
		struct sample x[MOST], y[MOST];
		double single[2][MOST], larger = 0, apart = 0;
		size_t singles[2] = {0};
		struct overlap got;

		for (size_t i = 0; i < m + n; i++) {
			int side = i >= m;
			struct sample *s = side ? &y[i - m] : &x[i];

			s->value = floor(12 * uniform(&seed));
			s->count = 1 + floor(3 * uniform(&seed));
			for (double k = 0; k < s->count; k++)
				single[side][singles[side]++] = s->value;
		}
		samples_sort(x, m);
		samples_sort(y, n);
		sort_numbers(single[0], singles[0]);
		sort_numbers(single[1], singles[1]);
		for (double at = 0; at < 12; at++) {
			double below[2] = {0};

			for (int side = 0; side < 2; side++)
				for (size_t i = 0; i < singles[side]; i++)
					below[side] += single[side][i] <= at;
			apart =
			    fmax(apart, fabs(below[0] / (double)singles[0] -
			                     below[1] / (double)singles[1]));
		}
		for (size_t i = 0; i < singles[0]; i++)
			for (size_t k = 0; k < singles[1]; k++)
				larger += single[1][k] > single[0][i]    ? 1
				          : single[1][k] == single[0][i] ? 0.5
				                                         : 0;
		got = samples_overlap(x, m, y, n);
		assert_near(got.larger,
		            larger / (double)(singles[0] * singles[1]), 1e-12);
		assert_near(got.apart, apart, 1e-12);
		assert_true(got.base == runs_median(single[0], singles[0]));
		assert_true(got.other == runs_median(single[1], singles[1]));
		assert_true(got.fewer ==
		            fmin((double)singles[0], (double)singles[1]));
	}
}
