/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes texts from outside safe for pictures and for gnuplot. */
#ifndef PCB_PLOT_PICTURE_QUOTE_H
#define PCB_PLOT_PICTURE_QUOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * A copy as print_plain writes it: UTF-8 on one line, without characters that
 * change the direction of text or that XML forbids. If it takes more than
 * `width` columns, "..." replaces the middle; a width below 3 means no limit.
 */
char *plain_text(const char *text, size_t width);

/*
 * Makes n texts plain, the first of each struct of `size` bytes; NULL stays. If
 * another would be cut to the same text, its number, from 1, comes first.
 * Returns the columns of the widest.
 */
size_t cut_names(char **first, size_t n, size_t size, size_t width);

/*
 * Whether write_string writes for a text terminal. There gnuplot gives each
 * character one column, so write_string adds a character without width to each
 * wide one.
 */
void strings_in_cells(bool cells);

/*
 * Whether write_string writes for fonts of this machine, as fc-list names them.
 * Where none has a character, gnuplot draws a huge sign over the picture; so
 * write_string writes '?' and warns once.
 */
void strings_in_fonts(bool fonts);

/*
 * Writes what comes before it, and the text, made plain, as a gnuplot string
 * expression of exactly these characters: 'a'."\047".'b'. Between single quotes
 * gnuplot has no escapes, macros or substitution.
 */
void write_string(FILE *to, const char *before, const char *text);

/*
 * Writes the text, made plain, into a gnuplot comment: '?' replaces what could
 * continue the line or be expanded by some version of gnuplot.
 */
void write_comment(FILE *to, const char *text);

#endif
