/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts samples by their text. Values of a timer repeat, and counting a known
 * text is faster than parsing it.
 */
#ifndef PCB_STATS_TALLY_H
#define PCB_STATS_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TALLY_TEXTS 16384

/* Samples of one text and one group, by its index. */
struct tallied {
	uint64_t text; /* as the word of table.h */
	size_t group;
	uint64_t count; /* 0: unused */
	double value;
};

/* Zero-initialise. At the end the caller takes the remaining entries. */
struct tally {
	struct tallied entry[TALLY_TEXTS];
};

/* Counts a sample if its text has an entry; else, and for the word 0, false. */
bool tally_add(struct tally *tally, size_t group, uint64_t word);

/*
 * Makes an entry for a new text. Returns samples for the caller to add: the
 * evicted entry, or, if the word is 0, this sample.
 */
struct tallied tally_learn(struct tally *tally, const struct tallied *sample,
                           uint64_t word);

#endif
