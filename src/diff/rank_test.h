/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What few repeated runs say about a value and about a difference. The runs
 * are taken as independent, and two sides that do not differ as drawn from one
 * distribution, of whatever shape but with the same spread. All arrays are
 * ascending (runs_sort) and finite.
 */
#ifndef PCB_DIFF_RANK_TEST_H
#define PCB_DIFF_RANK_TEST_H

#include <stddef.h>

/* The level of the intervals is 1 - RUNS_ALPHA, that of the test RUNS_ALPHA. */
#define RUNS_ALPHA 0.05

/* With fewer runs than this there is no interval and no verdict. */
#define RUNS_ENOUGH 5

void runs_sort(double x[], size_t n);

/* The mean of the middle two where n is even; NAN if n is 0. */
double runs_median(const double x[], size_t n);

/* Closed; NAN where there is none. */
struct interval {
	double low, high;
};

/*
 * For the median of what the runs are drawn from: the narrowest two values of
 * equal rank from both ends that miss it with a probability of RUNS_ALPHA at
 * most (binomial, exact). Of 5 runs: smallest and largest, which cover it
 * with 93.75 %. None with fewer.
 */
struct interval runs_median_interval(const double x[], size_t n);

/*
 * The two-sided p of the test of Mann and Whitney (1947) that x and y are
 * drawn from the same distribution: the part of all divisions of the m + n
 * values into m and n whose rank sum is as far from its mean or further. Ties
 * have mean ranks. Exact where m and n are under 50, else from the normal
 * approximation, corrected for ties and continuity; 1 if m or n is 0.
 */
double runs_u_test(const double x[], size_t m, const double y[], size_t n);

/*
 * By how much y lies above x (Hodges and Lehmann, 1963): the median of the
 * m * n differences, and those of equal rank from both ends between which the
 * shift lies with a probability of 1 - RUNS_ALPHA at least; the ranks are
 * those of the test above, without ties. No interval with fewer than
 * RUNS_ENOUGH runs on a side; the median is NAN if m or n is 0.
 */
struct shift {
	double median;
	struct interval limits;
};
struct shift runs_shift(const double x[], size_t m, const double y[], size_t n);

/*
 * By how much one side lies above the other where their runs come in pairs:
 * the median of the n differences, `d`, and runs_median_interval of them. No
 * interval with fewer than RUNS_ENOUGH.
 */
struct shift runs_paired_shift(const double d[], size_t n);

enum differs { DIFFERS_NO, DIFFERS_YES, DIFFERS_UNCLEAR };

/*
 * Whether x and y differ: unclear with fewer than RUNS_ENOUGH runs on a side,
 * no where the shift is less than `least` or p is over RUNS_ALPHA.
 */
enum differs runs_differ(const double x[], size_t m, const double y[], size_t n,
                         double least);

/*
 * The same of runs that come in pairs: no where the interval of the shift
 * holds 0, which is the sign test.
 */
enum differs runs_paired_differ(const double d[], size_t n, double least);

#endif
