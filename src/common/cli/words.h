/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the manual pages say of a word of the output. */
#ifndef PCB_COMMON_CLI_WORDS_H
#define PCB_COMMON_CLI_WORDS_H

#include "common/base/nearest.h"

#include <stdbool.h>

/*
 * Prints the entries of the pages for a word such as "link_width" or "p99_ns",
 * first those of the page of this program and, if `all`, then of others.
 * Returns whether there are any. If all have no entry, those of the same column
 * in another unit count, or without its unit, and of another percentile. Lines
 * end before column `end`.
 */
bool words_explain(const char *word, const char *program, bool all, size_t end);

/* Prints an example of the program's page that begins so, if there is any. */
bool words_example(const char *program, const char *command);

/*
 * The programs whose pages have an entry for a word or an option such as
 * "--check"; NULL: none. Free it.
 */
char *words_owners(const char *option);

/* Offers all words that have entries. */
void words_offer(struct nearest *n);

#endif
