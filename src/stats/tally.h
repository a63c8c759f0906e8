/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples counted by their texts. A timer has few values, so the same texts
 * come again and again, and to count one takes less time than to read it.
 */
#ifndef PCB_STATS_TALLY_H
#define PCB_STATS_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TALLY_TEXTS 16384

/* Samples of one text and one group, which goes by a number. */
struct tallied {
	uint64_t text; /* as table.h's word */
	size_t group;
	uint64_t count; /* 0: there are none */
	double value;
};

/* Zero-initialise; at the end what it holds has still to be taken. */
struct tally {
	struct tallied entry[TALLY_TEXTS];
};

/*
 * Counts a sample if its text is one of those counted here at the moment;
 * else, and for the word 0, returns false.
 */
bool tally_add(struct tally *tally, size_t group, uint64_t word);

/*
 * Counts a sample whose text was not. Returns samples that are not counted
 * here, or no longer, for the caller to take: those whose place was needed,
 * or, where the word is 0, this one.
 */
struct tallied tally_learn(struct tally *tally, const struct tallied *sample,
                           uint64_t word);

#endif
