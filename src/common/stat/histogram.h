/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples of several distributions, counted by value, and their statistics. */
#ifndef PCB_COMMON_STAT_HISTOGRAM_H
#define PCB_COMMON_STAT_HISTOGRAM_H

#include "common/base/number.h"
#include "common/stream/key_set.h"

#include <stdbool.h>

/* Counting ----------------------------------------------------------------- */

/* A distribution: its values in ascending order, and how often each occurred.
 */
struct histogram {
	struct histogram_bin {
		double value;
		uint64_t count; /* not 0 */
	} * bin;
	size_t nbins;
	uint64_t n; /* samples: the sum of all counts */
};

/*
 * Samples of any number of distributions. Zero-initialise, add, finish. It uses
 * up to 64 bytes of memory per sample, but for any number of samples at most
 * 512 KiB and 1792 bytes per distinct value of each distribution; 448 bytes if
 * it shares the memory with one more list, 224 if with others.
 */
struct tallies {
	struct histogram_bin *list;
	uint32_t *of; /* the distribution of each one; NULL: all of 0 */
	size_t n, room;
	size_t limit;        /* length at which it joins equal ones */
	uint64_t total;      /* of all counts */
	unsigned share;      /* set it to the number of lists; 0 is 1 */
	size_t marked;       /* length at the last mark */
	size_t joined;       /* so many are distinct, */
	uint32_t *place;     /* and found here by hash: their places + 1 */
	unsigned place_bits; /* of the number of slots */
	bool hold, repeats;
};

/*
 * Adds `count` samples of a finite value to distribution `of`; 0 and -0 are one
 * value. False, and adds nothing, if the counts of all would exceed 2^64 - 1.
 */
bool tallies_add(struct tallies *s, size_t of, double value, uint64_t count);

/*
 * The first n distributions, of which no sample has a higher number; empties s.
 * Free the result with histograms_free.
 */
struct histogram *tallies_finish(struct tallies *s, size_t n);
void tallies_free(struct tallies *s);
void histograms_free(struct histogram *first);

/*
 * From tallies_mark, which returns their number, the samples stay as they are
 * added, so that tallies_keep can take back all behind the first n of them.
 */
size_t tallies_mark(struct tallies *s);
void tallies_keep(struct tallies *s, size_t n);

/*
 * The same as tallies_finish of several lists, at least one, by so many
 * threads. Distribution i of a list counts for number[i] (NULL: i). Empties
 * the lists.
 */
struct tally_list {
	struct tallies samples;
	const uint32_t *number;
};
struct histogram *tallies_unite(struct tally_list list[], size_t nlists,
                                size_t n, unsigned threads);

/* Statistics --------------------------------------------------------------- */

/* The sample of this rank in ascending order, from 0 to n - 1. */
double histogram_nth(const struct histogram *d, uint64_t rank);

/*
 * The quantile of Hyndman and Fan's type 1 to 9 (1996), as R's quantile()
 * defines it, but at an exact position. Type 1 is the nearest rank, 7 is linear
 * between the samples around rank (n - 1) * part. NaN if n is 0; part.num <=
 * part.den < 2^58.
 */
#define USUAL_QUANTILE 7
double histogram_quantile(const struct histogram *d, struct fraction part,
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

/* Groups ------------------------------------------------------------------- */

/* The samples of each group of rows. Zero-initialise; release with groups_free.
 */
struct groups {
	struct key_set keys;
	struct tallies samples;
	struct histogram *histogram; /* one per key, by tallies_finish */
};

void groups_free(struct groups *g);

#endif
