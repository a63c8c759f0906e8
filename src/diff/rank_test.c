/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rank statistics of few runs: Mann-Whitney, Hodges-Lehmann, sign test. */
#include "diff/rank_test.h"

#include "common/base/util.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* With at least so many runs on a side, the test is approximate. */
#define NORMAL_FROM 50

/* The normal quantile at 1 - RUNS_ALPHA / 2. */
static const double normal_quantile = 1.959963984540054;

static const struct interval none = {NAN, NAN};

static int
by_value(const void *a, const void *b)
{
	const double *x = a;
	const double *y = b;

	return (*x > *y) - (*x < *y);
}

void
runs_sort(double x[], size_t n)
{
	if (n)
		qsort(x, n, sizeof *x, by_value);
}

/* One run ------------------------------------------------------------------ */

static double
middle(double low, double high)
{
	return low + (high - low) / 2;
}

double
runs_median(const double x[], size_t n)
{
	if (!n)
		return NAN;
	return middle(x[(n - 1) / 2], x[n / 2]);
}

/* The probability that exactly k of n runs are below the median. */
static double
below_median(size_t k, size_t n)
{
	double all = (double)n;
	double some = (double)k;

	return exp(lgamma(all + 1) - lgamma(some + 1) - lgamma(all - some + 1) -
	           all * log(2));
}

struct interval
runs_median_interval(const double x[], size_t n)
{
	size_t cut = 0; /* at each end */
	double miss = 0;

	if (n < RUNS_ENOUGH)
		return none;
	while ((miss += below_median(cut, n)) <= RUNS_ALPHA / 2)
		cut++;
	if (cut)
		cut--;
	return (struct interval){x[cut], x[n - 1 - cut]};
}

/* Rank sums ---------------------------------------------------------------- */

/* Twice the ranks of m + n values; ties have their mean rank. */
struct ranks {
	size_t *twice;
	size_t n;
	size_t sum;  /* of the ranks of x, doubled */
	double ties; /* sum of t^3 - t over sets of t equal values */
};

static struct ranks
rank(const double x[], size_t m, const double y[], size_t n)
{
	struct ranks r = {0};
	size_t i = 0, j = 0;

	r.twice = xcalloc(m + n, sizeof *r.twice);
	while (r.n < m + n) {
		double value = j == n || (i < m && x[i] < y[j]) ? x[i] : y[j];
		size_t in_x = i, before = r.n;
		double equal;

		while (i < m && x[i] == value)
			i++;
		while (j < n && y[j] == value)
			j++;
		for (; r.n < i + j; r.n++)
			r.twice[r.n] = before + i + j + 1;
		r.sum += (i - in_x) * (before + i + j + 1);
		equal = (double)(i + j - before);
		r.ties += equal * equal * equal - equal;
	}
	return r;
}

static struct ranks
untied(size_t n)
{
	struct ranks r = {.twice = xcalloc(n, sizeof *r.twice), .n = n};

	for (size_t i = 0; i < n; i++)
		r.twice[i] = 2 * (i + 1);
	return r;
}

/*
 * For each doubled rank sum from 0 to n * (n + 1), the number of ways to choose
 * m of the ranks. Free the result.
 */
static double *
count_sums(const struct ranks *r, size_t m)
{
	size_t row = r->n * (r->n + 1) + 1;
	double *ways = xcalloc((m + 1) * row, sizeof *ways);

	ways[0] = 1;
	for (size_t i = 0; i < r->n; i++) {
		for (size_t k = m < i + 1 ? m : i + 1; k; k--) {
			const double *from = ways + (k - 1) * row;
			double *to = ways + k * row + r->twice[i];

			for (size_t s = 0; s < row - r->twice[i]; s++)
				to[s] += from[s];
		}
	}
	memmove(ways, ways + m * row, row * sizeof *ways);
	return ways;
}

/* n choose m: the sum of these ways, exact to the last bits. */
static double
all_ways(const double *ways, size_t n)
{
	double sum = 0;

	for (size_t s = 0; s <= n * (n + 1); s++)
		sum += ways[s];
	return sum;
}

/* Test --------------------------------------------------------------------- */

static double
exact_p(const struct ranks *r, size_t m)
{
	double *ways = count_sums(r, m);
	size_t mean = m * (r->n + 1);
	size_t off = r->sum > mean ? r->sum - mean : mean - r->sum;
	double far = 0, p;

	for (size_t s = 0; s <= r->n * (r->n + 1); s++) {
		if ((s > mean ? s - mean : mean - s) >= off)
			far += ways[s];
	}
	p = far / all_ways(ways, r->n);
	free(ways);
	return p;
}

/* The standard deviation of a rank sum, for the normal approximation. */
static double
deviation(size_t m, size_t n, double ties)
{
	double all = (double)(m + n);

	return sqrt((double)m * (double)n / 12 *
	            (all + 1 - ties / (all * (all - 1))));
}

static double
normal_p(const struct ranks *r, size_t m)
{
	double off =
	    fabs((double)r->sum - (double)m * ((double)r->n + 1)) / 2 - 0.5;

	if (off <= 0)
		return 1;
	return erfc(off / deviation(m, r->n - m, r->ties) / sqrt(2));
}

double
runs_u_test(const double x[], size_t m, const double y[], size_t n)
{
	struct ranks r;
	double p;

	if (!m || !n)
		return 1;
	r = rank(x, m, y, n);
	p = m < NORMAL_FROM && n < NORMAL_FROM ? exact_p(&r, m)
	                                       : normal_p(&r, m);
	free(r.twice);
	return p;
}

/* Shift -------------------------------------------------------------------- */

/* The number of differences y - x that are at most `limit`. */
static size_t
count_differences(const double x[], size_t m, const double y[], size_t n,
                  double limit)
{
	size_t count = 0;
	size_t j = 0;

	for (size_t i = 0; i < m; i++) {
		while (j < n && y[j] - x[i] <= limit)
			j++;
		count += j;
	}
	return count;
}

/*
 * The difference of rank `nth`, from 0: the smallest number that more than
 * `nth` differences do not exceed, by bisection down to adjacent numbers.
 */
static double
nth_difference(const double x[], size_t m, const double y[], size_t n,
               size_t nth)
{
	double low = y[0] - x[m - 1];
	double high = y[n - 1] - x[0];

	if (count_differences(x, m, y, n, low) > nth)
		return low;
	for (;;) {
		double half = middle(low, high);

		if (!(low < half && half < high))
			return high;
		if (count_differences(x, m, y, n, half) > nth)
			high = half;
		else
			low = half;
	}
}

/* Differences that the test allows beyond each limit. */
static size_t
differences_beyond(size_t m, size_t n)
{
	size_t beyond = 0;
	struct ranks r;
	double *ways;
	double all, miss = 0;

	if (m >= NORMAL_FROM || n >= NORMAL_FROM)
		return (size_t)fmax(
		    0, (double)m * (double)n / 2 -
		           normal_quantile * deviation(m, n, 0) - 1);
	r = untied(m + n);
	ways = count_sums(&r, m);
	all = all_ways(ways, r.n);
	while ((miss += ways[m * (m + 1) + 2 * beyond]) / all <= RUNS_ALPHA / 2)
		beyond++;
	free(ways);
	free(r.twice);
	return beyond ? beyond - 1 : 0;
}

struct shift
runs_shift(const double x[], size_t m, const double y[], size_t n)
{
	size_t pairs = m * n;
	struct shift shift = {NAN, none};
	size_t beyond;

	if (!pairs)
		return shift;
	shift.median = middle(nth_difference(x, m, y, n, (pairs - 1) / 2),
	                      nth_difference(x, m, y, n, pairs / 2));
	if (m < RUNS_ENOUGH || n < RUNS_ENOUGH)
		return shift;
	beyond = differences_beyond(m, n);
	shift.limits.low = nth_difference(x, m, y, n, beyond);
	shift.limits.high = nth_difference(x, m, y, n, pairs - 1 - beyond);
	return shift;
}

struct shift
runs_paired_shift(const double d[], size_t n)
{
	return (struct shift){runs_median(d, n), runs_median_interval(d, n)};
}

enum differs
runs_differ(const double x[], size_t m, const double y[], size_t n,
            double least)
{
	if (m < RUNS_ENOUGH || n < RUNS_ENOUGH)
		return DIFFERS_UNCLEAR;
	if (fabs(runs_shift(x, m, y, n).median) < least)
		return DIFFERS_NO;
	return runs_u_test(x, m, y, n) <= RUNS_ALPHA ? DIFFERS_YES : DIFFERS_NO;
}

enum differs
runs_paired_differ(const double d[], size_t n, double least)
{
	struct shift shift = runs_paired_shift(d, n);

	if (n < RUNS_ENOUGH)
		return DIFFERS_UNCLEAR;
	if (fabs(shift.median) < least)
		return DIFFERS_NO;
	return shift.limits.low > 0 || shift.limits.high < 0 ? DIFFERS_YES
	                                                     : DIFFERS_NO;
}
