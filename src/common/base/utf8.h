/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts that come from outside and go to a person or another program. */
#ifndef PCB_COMMON_BASE_UTF8_H
#define PCB_COMMON_BASE_UTF8_H

#include <stddef.h>
#include <stdio.h>

/* The number of the word in the list that `text` is, or n if it is none. */
size_t find_word(const char *text, const char *const word[], size_t n);

/*
 * How many bytes the UTF-8 character at the start of `text` has: 1 to 4, or
 * 0 where no valid one starts and at the end.
 */
size_t utf8_length(const char *text);

/*
 * Writes a text to be looked at: each control character, and each byte that
 * is no UTF-8, as '?'. Errors stay in ferror.
 */
void print_plain(FILE *to, const char *text);

/*
 * The columns of a terminal that the character at the start of `text` takes:
 * 0 if it stands on the one before, 2 if it is a wide one such as those of
 * Chinese, else 1.
 */
size_t utf8_columns(const char *text);

/* How many columns what print_plain writes takes. */
size_t plain_width(const char *text);

/* The larger of `width` and the columns of what print_plain writes of `text`.
 */
size_t max_plain_width(size_t width, const char *text);

#endif
