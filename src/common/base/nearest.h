/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The word that somebody meant who has misspelt it. */
#ifndef PCB_COMMON_BASE_NEAREST_H
#define PCB_COMMON_BASE_NEAREST_H

#include <stddef.h>

/* Set `typed`, and zero the rest; then offer every word that is right. */
struct nearest {
	const char *typed;
	const char *word; /* the nearest one offered; NULL: none is near */
	unsigned distance;
};

/*
 * A word is near if no more than a third of the letters typed, and one in any
 * case, are wrong, missing, too many or swapped with their neighbour. Case
 * does not count. Of words that are equally near, the first one offered stays.
 * The word must outlive *n.
 */
void nearest_offer(struct nearest *n, const char *word);

/*
 * " (did you mean WORD?)", or "" if no word is near: the end of a message.
 * The text is the function's own until the next call.
 */
const char *nearest_hint(const struct nearest *n);

#endif
