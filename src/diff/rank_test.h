/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Confidence intervals for few runs, by ranks. Runs are assumed independent;
 * two sides may have different spreads. All arrays are ascending (sort_numbers)
 * and finite.
 */
#ifndef PCB_DIFF_RANK_TEST_H
#define PCB_DIFF_RANK_TEST_H

#include <stddef.h>

/* Intervals have the level 1 - RUNS_ALPHA. */
#define RUNS_ALPHA 0.05

/* Fewest runs of a side, and fewest pairs, for an interval. */
#define RUNS_ENOUGH       5
#define RUNS_ENOUGH_PAIRS 6

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
 * A difference between two sides, and its interval. Also the difference of the
 * means, its standard error (0 if no run differs from another of its side) and
 * degrees of freedom, as Welch (1947) has them; 0 without an interval.
 */
struct shift {
	double median;
	struct interval limits;
	double mean, error;
	size_t freedom;
};

/*
 * The shift of y against x: the median of the m * n differences (Hodges and
 * Lehmann, 1963), and the shifts that the test of Brunner and Munzel (2000)
 * does not reject, with Student's t of min(m, n) - 1 degrees of freedom, fewer
 * than theirs, because that test errs too often with few runs. The limits are
 * differences of runs. No interval if a side has fewer than RUNS_ENOUGH; the
 * median is NAN if m or n is 0.
 */
struct shift runs_shift(const double x[], size_t m, const double y[], size_t n);

/*
 * The shift of paired runs, from their n differences d: the median of the means
 * of two, each with itself, too (Hodges and Lehmann), and the means of equal
 * rank from both ends that Wilcoxon's signed ranks do not reject (exact below
 * 50 pairs). No interval for fewer than RUNS_ENOUGH_PAIRS; NAN if n is 0.
 */
struct shift runs_paired_shift(const double d[], size_t n);

/*
 * The probability that means differ by `excess` more than those of the
 * distributions, which is not negative: the tail of Student's t. It reaches
 * levels far below RUNS_ALPHA, which no ranks of few runs do.
 */
double shift_chance(const struct shift *s, double excess);

/* More runs than anybody takes. */
#define RUNS_MOST 200

/* What more runs could show: an interval, and what it must not contain. */
struct prospect {
	double runs;     /* of each side, now */
	double half;     /* how far it now reaches beyond its median */
	double distance; /* less than that it should; may be negative */
	double miss;     /* the error allowed on this side */
};

/*
 * The runs of each side with which all n intervals would reach less than their
 * distance with a probability of about 80 %, if medians and spreads stay: more
 * than any has now, RUNS_MOST + 1 if not even RUNS_MOST are enough.
 */
size_t runs_to_decide(const struct prospect p[], size_t n);

enum differs { DIFFERS_NO, DIFFERS_YES, DIFFERS_UNCLEAR };

/*
 * Whether the sides differ: unclear without an interval, no if the interval
 * contains 0 or the median is less than `least`.
 */
enum differs shift_differs(const struct shift *s, double least);

/* A value and how many samples have it. */
struct sample {
	double value, count;
};

/* Sorts in ascending order. */
void samples_sort(struct sample x[], size_t n);

/* Two distributions of samples. */
struct overlap {
	double base, other; /* medians */
	double larger; /* part of all pairs in which y is larger; ties count
	                  half */
	double apart;  /* largest distance of the distribution functions */
	double fewer;  /* samples of the side with fewer */
};

/* Compares y with x; both are ascending and have samples. */
struct overlap samples_overlap(const struct sample x[], size_t m,
                               const struct sample y[], size_t n);

#endif
