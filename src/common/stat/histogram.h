/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Distributions, counted and not stored: how often each value occurred. */
#ifndef PCB_COMMON_STAT_HISTOGRAM_H
#define PCB_COMMON_STAT_HISTOGRAM_H

#include "common/base/number.h"

#include <stdbool.h>

/*
 * Zero-initialise, add, finish. However many samples there are, it touches at
 * most 48 bytes of memory for each distinct value, and, where values repeat, a
 * cache of 128 bytes for each, up to 512 KiB.
 */
struct histogram {
	struct histogram_bin {
		double value;
		uint64_t count;
	} * bin; /* ascending once finished; no count is 0 */
	size_t nbins;
	uint64_t n; /* samples: the sum of all counts */

	/*
	 * Until finished, bin is a list: values are appended, and it is sorted
	 * when it is full. Where values repeat, a cache counts the recent ones
	 * before they get there.
	 */
	size_t room;    /* for so many bins */
	size_t nsorted; /* so many, from the first, are ascending */
	struct histogram_bin *cache;
	unsigned cache_bits; /* it has 2^cache_bits places; count 0: empty */
};

/*
 * Adds `count` samples of one value, which is finite; 0 and -0 are one value.
 * False, and nothing is added, where n would pass 2^64.
 */
bool histogram_add(struct histogram *d, double value, uint64_t count);

/* Sorts the bins. What follows takes a finished distribution. */
void histogram_finish(struct histogram *d);

void histogram_free(struct histogram *d);

/* The sample of this rank in ascending order, from 0 to n - 1. */
double histogram_nth(const struct histogram *d, uint64_t rank);

/*
 * The quantile of type 7 of Hyndman and Fan (1996), as in R: linear between
 * the samples around rank (n - 1) * part, which is taken exactly. NaN if n
 * is 0; part.num <= part.den < 2^58.
 */
double histogram_quantile(const struct histogram *d, struct fraction part);

/*
 * The quantile of one of their types, 1 to 9, as R's quantile() defines it
 * (1 to 3 take samples, 4 to 9 interpolate). The position is exact, where R
 * allows for rounding. Otherwise as histogram_quantile; part.den < 2^58.
 */
double histogram_quantile_type(const struct histogram *d, struct fraction part,
                               unsigned type);

/* The value of the most samples, the smallest of several; NaN if n is 0. */
double histogram_mode(const struct histogram *d);

/* How many samples are greater than this. */
uint64_t histogram_above(const struct histogram *d, long double value);

/* NaN if n is 0. */
double histogram_mean(const struct histogram *d);

/*
 * The standard deviation of a sample, over n - 1; NaN if n is less than 2,
 * infinite where it is beyond a double.
 */
double histogram_stddev(const struct histogram *d);

/* The deviation of a whole population, over n; NaN if n is 0. */
double histogram_population_stddev(const struct histogram *d);

#endif
