/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The word that somebody meant who has misspelt it. */
#ifndef PCB_COMMON_BASE_NEAREST_H
#define PCB_COMMON_BASE_NEAREST_H

#include <stddef.h>

/* Words named that begin with what was typed; there may be more. */
#define NEAREST_LONGER_MAX 5

/* Set `typed`, and zero the rest; then offer every word that is right. */
struct nearest {
	const char *typed;
	const char *word; /* the nearest one offered; NULL: none is near */
	unsigned distance;
	const char *longer[NEAREST_LONGER_MAX]; /* they begin as `typed` */
	size_t nlonger;                         /* offered, over all */
};

/*
 * A word is near if no more than a third of the letters typed, and one in any
 * case, are wrong, missing, too many or swapped with their neighbour. Case
 * does not count. Of words that are equally near, the first one offered stays.
 * Two letters or more may also be the beginning of words. Words must outlive
 * *n.
 */
void nearest_offer(struct nearest *n, const char *word);

/*
 * The end of a message: " (did you mean WORD?)"; without a near word, " (did
 * you mean A, B or C?)" of those that begin as typed; "" if there are none. The
 * text is the function's own until the next call.
 */
const char *nearest_hint(const struct nearest *n);

#endif
