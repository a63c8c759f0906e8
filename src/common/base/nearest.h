/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the word that a user has misspelt. */
#ifndef PCB_COMMON_BASE_NEAREST_H
#define PCB_COMMON_BASE_NEAREST_H

#include <stddef.h>

/* Longest list of words that nearest_hint names; there may be more. */
#define NEAREST_LONGER_MAX 5

/* Set `typed`, zero the rest, then offer every valid word. */
struct nearest {
	const char *typed;
	const char *word; /* the nearest one offered; NULL: none is near */
	unsigned distance;
	const char *longer[NEAREST_LONGER_MAX]; /* they start with `typed` */
	size_t nlonger;                         /* all that do, listed or not */
};

/*
 * Offers a valid word, which must outlive *n. A word is near if at most a third
 * of the typed letters, or one, are wrong, missing, superfluous or swapped with
 * a neighbour; case is ignored. Of equally near words the first one wins. A
 * typed text of two letters or more also matches as the start of a word.
 */
void nearest_offer(struct nearest *n, const char *word);

/*
 * The end of a message: " (did you mean WORD?)" for the nearest word; for words
 * that start with the typed text, " (did you mean A, B or C?)"; else "". The
 * text is valid until the next call.
 */
const char *nearest_hint(const struct nearest *n);

#endif
