/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Distributions: how often each value occurred, without storing samples. */
#ifndef PCB_COMMON_STAT_HISTOGRAM_H
#define PCB_COMMON_STAT_HISTOGRAM_H

#include "common/base/number.h"
#include "common/stream/key_set.h"

#include <stdbool.h>

/*
 * Zero-initialise, add, finish. It uses up to 32 bytes of memory per sample,
 * but for any number of samples at most 1 KiB and 512 bytes per distinct value.
 */
struct histogram {
	/*
	 * Once finished, ascending values; before, a list in any order, with
	 * equal values. No count is 0.
	 */
	struct histogram_bin {
		double value;
		uint64_t count;
	} * bin;
	size_t nbins;
	uint64_t n; /* samples: the sum of all counts */

	size_t room;  /* capacity in bins */
	size_t limit; /* bins at which it joins equal ones */
	bool sorted;
};

/*
 * Adds `count` samples of a finite value; 0 and -0 are one value. False, and
 * adds nothing, if n would exceed 2^64 - 1.
 */
bool histogram_add(struct histogram *d, double value, uint64_t count);

/*
 * Moves all samples of `from` to d. False, and moves nothing, if n would exceed
 * 2^64 - 1.
 */
bool histogram_merge(struct histogram *d, struct histogram *from);

/* Sorts the bins. The functions below need a finished distribution. */
void histogram_finish(struct histogram *d);

void histogram_free(struct histogram *d);

/* The sample of this rank in ascending order, from 0 to n - 1. */
double histogram_nth(const struct histogram *d, uint64_t rank);

/*
 * The quantile of type 7 of Hyndman and Fan (1996), as in R: linear between the
 * samples around rank (n - 1) * part, which is exact. NaN if n is 0; part.num
 * <= part.den < 2^58.
 */
double histogram_quantile(const struct histogram *d, struct fraction part);

/*
 * The quantile of Hyndman and Fan's type 1 to 9, as R's quantile() defines it
 * (1 to 3 are samples, 4 to 9 interpolate). The position is exact, where R
 * allows for rounding. Otherwise as histogram_quantile.
 */
double histogram_quantile_type(const struct histogram *d, struct fraction part,
                               unsigned type);

/* The most frequent value, the smallest one of several; NaN if n is 0. */
double histogram_mode(const struct histogram *d);

/* The number of samples above `value`. */
uint64_t histogram_above(const struct histogram *d, long double value);

/*
 * The arithmetic mean, and the standard deviations of the sample, over n - 1,
 * and of the population, over n. Infinite if it exceeds a double; NaN if n is
 * 0, and stddev also if n is 1.
 */
struct moments {
	double mean, stddev, population_stddev;
};

struct moments histogram_moments(const struct histogram *d);

/* The samples of each group of rows. Zero-initialise; release with groups_free.
 */
struct groups {
	struct key_set keys;
	struct histogram *histogram; /* one per key */
	size_t room;
};

/* The index of the group with this key; a new one's histogram is empty. */
size_t groups_find(struct groups *g, const struct key *key);

void groups_free(struct groups *g);

#endif
