/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Intervals of few runs: sign test, Brunner and Munzel, signed ranks, t. */
#include "diff/rank_test.h"

#include "common/base/util.h"

#include <math.h>

/* With at least so many pairs, signed ranks are approximate. */
#define NORMAL_FROM 50

/* The normal quantile at 1 - RUNS_ALPHA / 2. */
static const double normal_quantile = 1.959963984540054;

static const struct shift none = {NAN, {NAN, NAN}, 0, 0, 0};

static double
middle(double low, double high)
{
	return low + (high - low) / 2;
}

/* One run ------------------------------------------------------------------ */

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
		return none.limits;
	while ((miss += below_median(cut, n)) <= RUNS_ALPHA / 2)
		cut++;
	if (cut)
		cut--;
	return (struct interval){x[cut], x[n - 1 - cut]};
}

/* Two sides ---------------------------------------------------------------- */

/* y against x, or the differences x of pairs. */
struct sides {
	const double *x, *y;
	size_t m, n;
	double limit; /* see the conditions below */
};

/* A condition that holds from some shift on. */
typedef bool condition(const struct sides *s, double shift);

/*
 * The smallest shift from `low` to `high` for which the condition holds, or
 * `high`; by bisection down to adjacent numbers. Conditions change at values
 * that are computed in them, so the result is such a value.
 */
static double
smallest_shift(const struct sides *s, condition *holds, double low, double high)
{
	if (holds(s, low))
		return low;
	for (;;) {
		double half = middle(low, high);

		if (!(low < half && half < high))
			return high;
		if (holds(s, half))
			high = half;
		else
			low = half;
	}
}

/* Whether more than `limit` differences do not exceed the shift. */
static bool
exceeds_differences(const struct sides *s, double shift)
{
	size_t count = 0;
	size_t j = 0;

	for (size_t i = 0; i < s->m; i++) {
		while (j < s->n && s->y[j] - s->x[i] <= shift)
			j++;
		count += j;
	}
	return (double)count > s->limit;
}

/* The sum and the sum of squares of one side's placements. */
struct placements {
	double sum, squares;
};

static void
place(struct placements *p, size_t placement)
{
	p->sum += (double)placement;
	p->squares += (double)placement * (double)placement;
}

/* The variance of the mean of n placements, each among `others`. */
static double
mean_variance(const struct placements *p, size_t n, size_t others)
{
	double runs = (double)n;
	double squares = p->squares - p->sum * p->sum / runs;

	return squares / (runs * (runs - 1)) /
	       ((double)others * (double)others);
}

/*
 * Whether the test rejects all larger shifts: the statistic of Brunner and
 * Munzel exceeds `limit` where the differences up to this one are below 0.
 */
static bool
rejects_above(const struct sides *s, double shift)
{
	struct placements of_x = {0}, of_y = {0};
	size_t i = 0, j = 0;
	double below, variance;

	for (size_t k = 0; k < s->m; k++) {
		while (j < s->n && s->y[j] - s->x[k] <= shift)
			j++;
		place(&of_x, j);
	}
	for (size_t k = 0; k < s->n; k++) {
		while (i < s->m && s->y[k] - s->x[i] > shift)
			i++;
		place(&of_y, s->m - i);
	}
	below = of_x.sum / ((double)s->m * (double)s->n);
	variance =
	    mean_variance(&of_x, s->m, s->n) + mean_variance(&of_y, s->n, s->m);
	return below - 0.5 > s->limit * sqrt(fmax(variance, 0));
}

/* P(|T| < t) for k degrees of freedom; Abramowitz and Stegun 26.7.3, 26.7.4. */
static double
student_within(double t, size_t k)
{
	double angle = atan(t / sqrt((double)k));
	double term = k % 2 ? cos(angle) : 1;
	double sum = 0;

	for (size_t j = k % 2; j + 2 <= k; j += 2) {
		sum += term;
		term *=
		    (double)(j + 1) / (double)(j + 2) * cos(angle) * cos(angle);
	}
	return k % 2 ? 2 / M_PI * (angle + sin(angle) * sum) : sin(angle) * sum;
}

/* The quantile of Student's t at 1 - RUNS_ALPHA / 2. */
static double
student_quantile(size_t k)
{
	double low = 0, high = 64; /* that of k = 1 is 12.7 */

	while (high - low > 1e-12) {
		double half = middle(low, high);

		if (student_within(half, k) < 1 - RUNS_ALPHA)
			low = half;
		else
			high = half;
	}
	return high;
}

/* The mean of one side, and the square of its standard error. */
static double
mean_of(const double x[], size_t n, double *square)
{
	double mean = 0, squares = 0, runs = (double)n;

	for (size_t i = 0; i < n; i++)
		mean += x[i] / runs;
	for (size_t i = 0; i < n; i++)
		squares += (x[i] - mean) * (x[i] - mean);
	*square = squares / (runs * (runs - 1));
	return mean;
}

static void
set_means(struct shift *s, const double x[], size_t m, const double y[],
          size_t n)
{
	double of_x, of_y, sum;

	s->mean = -mean_of(x, m, &of_x);
	s->mean += mean_of(y, n, &of_y);
	sum = of_x + of_y;
	s->error = sqrt(sum);
	s->freedom = (m < n ? m : n) - 1;
	if (sum > 0)
		s->freedom =
		    (size_t)(1e-9 + sum * sum /
		                        (of_x * of_x / (double)(m - 1) +
		                         of_y * of_y / (double)(n - 1)));
}

double
shift_chance(const struct shift *s, double excess)
{
	if (s->error <= 0)
		return excess > 0 ? 0 : 1;
	return 0.5 -
	       copysign(student_within(fabs(excess) / s->error, s->freedom) / 2,
	                excess);
}

/* The largest shift of y against x that the test does not reject. */
static double
upper_limit(const double x[], size_t m, const double y[], size_t n, double t)
{
	struct sides s = {.x = x, .y = y, .m = m, .n = n, .limit = t};

	return smallest_shift(&s, rejects_above, y[0] - x[m - 1],
	                      y[n - 1] - x[0]);
}

/* The values with opposite signs, ascending. Free the result. */
static double *
opposite(const double x[], size_t n)
{
	double *result = xcalloc(n, sizeof *result);

	for (size_t i = 0; i < n; i++)
		result[i] = -x[n - 1 - i];
	return result;
}

struct shift
runs_shift(const double x[], size_t m, const double y[], size_t n)
{
	struct sides s = {.x = x, .y = y, .m = m, .n = n};
	struct shift shift = none;
	double *minus_x, *minus_y;
	double least, most, low, t;

	if (!m || !n)
		return shift;
	least = y[0] - x[m - 1];
	most = y[n - 1] - x[0];
	s.limit = floor(((double)(m * n) - 1) / 2);
	low = smallest_shift(&s, exceeds_differences, least, most);
	s.limit = floor((double)(m * n) / 2);
	shift.median =
	    middle(low, smallest_shift(&s, exceeds_differences, least, most));
	if (m < RUNS_ENOUGH || n < RUNS_ENOUGH)
		return shift;
	set_means(&shift, x, m, y, n);
	t = student_quantile((m < n ? m : n) - 1);
	minus_x = opposite(x, m);
	minus_y = opposite(y, n);
	shift.limits.low = 0 - upper_limit(minus_x, m, minus_y, n, t);
	shift.limits.high = upper_limit(x, m, y, n, t);
	free(minus_x);
	free(minus_y);
	return shift;
}

/* Pairs -------------------------------------------------------------------- */

/* Whether more than `limit` means of two differences do not exceed the shift.
 */
static bool
exceeds_means(const struct sides *s, double shift)
{
	size_t count = 0;
	size_t j = s->m;

	for (size_t i = 0; i < j; i++) {
		while (j > i && middle(s->x[i], s->x[j - 1]) > shift)
			j--;
		count += j - i;
	}
	return (double)count > s->limit;
}

/* The mean of rank `nth`, from 0. */
static double
nth_mean(const double d[], size_t n, size_t nth)
{
	struct sides s = {.x = d, .m = n, .limit = (double)nth};

	return smallest_shift(&s, exceeds_means, d[0], d[n - 1]);
}

/*
 * The rank, from 0, of the means that limit the interval: by the sum of the
 * ranks of positive differences, if each sign is equally probable.
 */
static size_t
limit_rank(size_t n)
{
	size_t sums = n * (n + 1) / 2 + 1;
	size_t beyond = 0;
	double *part;
	double miss = 0;

	if (n >= NORMAL_FROM) {
		double runs = (double)n;

		return (size_t)((double)(sums - 1) / 2 - 0.5 -
		                normal_quantile * sqrt(runs * (runs + 1) *
		                                       (2 * runs + 1) / 24));
	}
	part = xcalloc(sums, sizeof *part);
	part[0] = 1;
	for (size_t rank = 1; rank <= n; rank++) {
		for (size_t sum = sums; sum-- > 0;)
			part[sum] = part[sum] / 2 +
			            (sum >= rank ? part[sum - rank] / 2 : 0);
	}
	while ((miss += part[beyond]) <= RUNS_ALPHA / 2)
		beyond++;
	free(part);
	return beyond ? beyond - 1 : 0;
}

struct shift
runs_paired_shift(const double d[], size_t n)
{
	size_t means = n * (n + 1) / 2;
	struct shift shift = none;
	size_t rank;

	if (!n)
		return shift;
	shift.median =
	    middle(nth_mean(d, n, (means - 1) / 2), nth_mean(d, n, means / 2));
	if (n < RUNS_ENOUGH_PAIRS)
		return shift;
	shift.mean = mean_of(d, n, &shift.error);
	shift.error = sqrt(shift.error);
	shift.freedom = n - 1;
	rank = limit_rank(n);
	shift.limits.low = nth_mean(d, n, rank);
	shift.limits.high = nth_mean(d, n, means - 1 - rank);
	return shift;
}

enum differs
shift_differs(const struct shift *s, double least)
{
	if (isnan(s->limits.low))
		return DIFFERS_UNCLEAR;
	if (s->limits.low <= 0 && s->limits.high >= 0)
		return DIFFERS_NO;
	return fabs(s->median) < least ? DIFFERS_NO : DIFFERS_YES;
}

/* The normal distribution function. */
static double
normal_below(double x)
{
	return erfc(-x / sqrt(2)) / 2;
}

/* The normal quantile at 1 - miss. */
static double
normal_beyond(double miss)
{
	double low = 0, high = 40;

	while (high - low > 1e-9) {
		double half = middle(low, high);

		if (normal_below(-half) > miss)
			low = half;
		else
			high = half;
	}
	return high;
}

/* The probability that all intervals reach less than their distance. */
static double
all_decide(const struct prospect p[], size_t n, double runs)
{
	double all = 1, miss = 0, beyond = 0;

	for (size_t i = 0; i < n; i++) {
		if (p[i].distance <= 0)
			return 0;
		if (p[i].half <= 0)
			continue;
		if (p[i].miss != miss)
			beyond = normal_beyond(miss = p[i].miss);
		all *= normal_below(normal_quantile * p[i].distance /
		                        p[i].half * sqrt(runs / p[i].runs) -
		                    beyond);
	}
	return all;
}

size_t
runs_to_decide(const struct prospect p[], size_t n)
{
	size_t low = 0, high = RUNS_MOST + 1;

	for (size_t i = 0; i < n; i++)
		low = (size_t)fmax((double)low, p[i].runs);
	while (high > low + 1) {
		size_t runs = low + (high - low) / 2;

		if (all_decide(p, n, (double)runs) < 0.8)
			low = runs;
		else
			high = runs;
	}
	return high;
}

/* Samples ------------------------------------------------------------------ */

static int
by_sample(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;

	return (x->value > y->value) - (x->value < y->value);
}

void
samples_sort(struct sample x[], size_t n)
{
	if (n)
		qsort(x, n, sizeof *x, by_sample);
}

static double
count_all(const struct sample x[], size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i].count;
	return sum;
}

/* The mean of the middle two if their number is even. */
static double
sample_median(const struct sample x[], size_t n, double all)
{
	double passed = 0, low;
	size_t i = 0;

	while (i < n && passed + x[i].count < ceil(all / 2))
		passed += x[i++].count;
	low = x[i].value;
	while (i + 1 < n && passed + x[i].count < floor(all / 2) + 1)
		passed += x[i++].count;
	return middle(low, x[i].value);
}

struct overlap
samples_overlap(const struct sample x[], size_t m, const struct sample y[],
                size_t n)
{
	double all_x = count_all(x, m), all_y = count_all(y, n);
	double below_x = 0, below_y = 0; /* samples so far */
	struct overlap o = {
	    .base = sample_median(x, m, all_x),
	    .other = sample_median(y, n, all_y),
	    .fewer = fmin(all_x, all_y),
	};

	for (size_t i = 0, j = 0; i < m || j < n;) {
		double value = j == n || (i < m && x[i].value < y[j].value)
		                   ? x[i].value
		                   : y[j].value;
		double in_x = 0, in_y = 0;

		for (; i < m && x[i].value == value; i++)
			in_x += x[i].count;
		for (; j < n && y[j].value == value; j++)
			in_y += y[j].count;
		o.larger += in_y * (below_x + in_x / 2) / (all_x * all_y);
		below_x += in_x;
		below_y += in_y;
		o.apart =
		    fmax(o.apart, fabs(below_x / all_x - below_y / all_y));
	}
	return o;
}
