/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples in order, as a few sums: the same memory, however many they are. They
 * tell how much each sample depends on those before it.
 */
#ifndef PCB_COMMON_STAT_SEQUENCE_H
#define PCB_COMMON_STAT_SEQUENCE_H

#include <stddef.h>
#include <stdint.h>

/* Fewer samples do not show how they depend on each other. */
#define SEQUENCE_ENOUGH 320

/* Independent samples seldom have this spread. */
#define UNSTEADY 3

struct sequence;

/* An empty one; release it with free(). */
struct sequence *sequence_make(void);
void sequence_add(struct sequence *s, double value);

/*
 * The variance of the number of samples below the median, divided by that of
 * independent samples: n samples tell as much as n / spread independent ones. 1
 * if samples are too few, ascending or descending.
 *
 * Computed from 16 to 31 blocks of equal length (Schmeiser, 1982), which needs
 * no model of the dependence; too low if that is longer than a block.
 */
double sequence_spread(const struct sequence *s);

/* Of several sequences, those that are not steady. Zero-initialise. */
struct steadiness {
	size_t unsteady; /* sequences with a spread of UNSTEADY or more */
	double spread;   /* the most of them, */
	uint64_t n;      /* the samples of that one, and their */
	double lag1;     /* autocorrelation at lag 1: of being above or below
	                    the median, so that no value counts by its size */
	double trend;    /* by what part of the median that of a tenth of some
	                    sequence's samples differs most, */
	unsigned tenth;  /* and which tenth, from 0 */
};

/* Adds a sequence whose spread is known. */
void steadiness_add(struct steadiness *all, const struct sequence *s,
                    double spread);

/* "the first tenth is 30 % higher", to be freed. */
char *steadiness_text(const struct steadiness *all);

#endif
