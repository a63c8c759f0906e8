/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts from outside, made safe to draw and to hand to gnuplot. */
#ifndef PCB_PLOT_GNUPLOT_QUOTE_H
#define PCB_PLOT_GNUPLOT_QUOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * A copy as print_plain writes it: UTF-8 on one line, without characters that
 * change the direction of text, and those that XML does not have. Where it
 * takes more than `width` columns, "..." stands for those in the middle; a
 * width under 3 is none. free() it.
 */
char *plain_text(const char *text, size_t width);

/*
 * Whether all strings to come are for a terminal of characters. There gnuplot
 * counts each character as one column: a wide one gets another behind it that
 * takes none.
 */
void strings_in_cells(bool cells);

/*
 * Writes it, made plain, as a string expression of gnuplot that is exactly
 * these characters: 'a'."\047".'b'. Between single quotes gnuplot knows no
 * escapes, no macros and no substitution.
 */
void write_string(FILE *to, const char *text);

/* Writes a finite number, as short as it reads back equal. */
void write_number(double value);

/*
 * Writes it, made plain, as a part of a gnuplot comment: what could go on
 * behind the line or be expanded by some version of gnuplot becomes '?'.
 */
void write_comment(FILE *to, const char *text);

#endif
