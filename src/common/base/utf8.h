/* SPDX-License-Identifier: GPL-2.0-or-later */
/* UTF-8 validation, and texts made fit for a terminal. */
#ifndef PCB_COMMON_BASE_UTF8_H
#define PCB_COMMON_BASE_UTF8_H

#include <stddef.h>
#include <stdio.h>

/*
 * The number of bytes, 1 to 4, of the UTF-8 character at the start of `text`; 0
 * if that is invalid or the text is empty.
 */
size_t utf8_length(const char *text);

/*
 * Writes a text for a terminal: '?' replaces each control character, also one
 * that changes the direction of text or cannot be seen, and each byte that is
 * no UTF-8. Errors stay in ferror.
 */
void print_plain(FILE *to, const char *text);

/*
 * Columns that the first character of `text` takes in a terminal: 0 for a
 * combining mark, 2 for a wide character such as a Chinese one, else 1, as for
 * the '?' of print_plain.
 */
size_t utf8_columns(const char *text);

/* Columns that the output of print_plain takes. */
size_t plain_width(const char *text);

/*
 * Prints a text, as print_plain does, and a newline. The cursor is at column
 * `begin`; lines start there and end before column `end`, unless a word is
 * longer. 0 as `end`: no limit. A quoted command, as 'pcb-doctor -a', stays
 * whole, if need be on a longer line of its own. Allocates nothing, and changes
 * the text.
 */
void print_words(FILE *to, size_t begin, size_t end, char *text);

/* The larger of `width` and plain_width(text). */
size_t max_plain_width(size_t width, const char *text);

#endif
