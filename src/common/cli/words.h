/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the manual pages say of a word of the output. */
#ifndef PCB_COMMON_CLI_WORDS_H
#define PCB_COMMON_CLI_WORDS_H

#include "common/base/nearest.h"

#include <stdbool.h>

/*
 * Prints the entries of the pages for a word such as "link_width" or "p99_ns",
 * first those of the page of this program, and returns whether there are any.
 * Without an entry, those of the same column in another unit count, or without
 * its unit, and of another percentile. Lines end before column `end`.
 */
bool words_explain(const char *word, const char *program, size_t end);

/* Prints an example of the program's page that begins so, if there is any. */
bool words_example(const char *program, const char *command);

/* Offers all words that have entries. */
void words_offer(struct nearest *n);

#endif
