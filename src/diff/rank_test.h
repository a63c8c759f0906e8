/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Confidence intervals and tests for few runs. Runs are assumed independent,
 * and two sides that do not differ to have one distribution, of any shape but
 * with the same spread. All arrays are ascending (runs_sort) and finite.
 */
#ifndef PCB_DIFF_RANK_TEST_H
#define PCB_DIFF_RANK_TEST_H

#include <stddef.h>

/* Intervals have the level 1 - RUNS_ALPHA, the test has RUNS_ALPHA. */
#define RUNS_ALPHA 0.05

/* Fewest runs for an interval or a verdict. */
#define RUNS_ENOUGH 5

/* Sorts in ascending order; x has no NAN. */
void runs_sort(double x[], size_t n);

/* The mean of the middle two if n is even; NAN if n is 0. */
double runs_median(const double x[], size_t n);

/* A closed interval; NAN: none. */
struct interval {
	double low, high;
};

/*
 * For the median of the runs' distribution: the narrowest pair of values of
 * equal rank from both ends that misses it with a probability of at most
 * RUNS_ALPHA (binomial, exact). For 5 runs: minimum and maximum, which cover it
 * with 93.75 %. None for fewer runs.
 */
struct interval runs_median_interval(const double x[], size_t n);

/*
 * The two-sided p of the test of Mann and Whitney (1947) that x and y have the
 * same distribution: the part of all divisions of the m + n values into m and n
 * whose rank sum is at least as far from its mean. Ties have mean ranks. Exact
 * if m and n are below 50, else by the normal approximation, corrected for ties
 * and continuity; 1 if m or n is 0.
 */
double runs_u_test(const double x[], size_t m, const double y[], size_t n);

/*
 * The shift of y against x (Hodges and Lehmann, 1963): the median of the m * n
 * differences, and those of equal rank from both ends that contain the shift
 * with a probability of at least 1 - RUNS_ALPHA, by the ranks of the test above
 * without ties. No interval if a side has fewer than RUNS_ENOUGH runs; the
 * median is NAN if m or n is 0.
 */
struct shift {
	double median;
	struct interval limits;
};
struct shift runs_shift(const double x[], size_t m, const double y[], size_t n);

/*
 * The shift of paired runs: the median of the n differences `d`, and their
 * runs_median_interval. No interval for fewer than RUNS_ENOUGH.
 */
struct shift runs_paired_shift(const double d[], size_t n);

enum differs { DIFFERS_NO, DIFFERS_YES, DIFFERS_UNCLEAR };

/*
 * Whether x and y differ: unclear if a side has fewer than RUNS_ENOUGH runs, no
 * if the shift is less than `least` or p exceeds RUNS_ALPHA.
 */
enum differs runs_differ(const double x[], size_t m, const double y[], size_t n,
                         double least);

/*
 * The same for paired runs: no if the interval of the shift contains 0, which
 * is the sign test.
 */
enum differs runs_paired_differ(const double d[], size_t n, double least);

#endif
