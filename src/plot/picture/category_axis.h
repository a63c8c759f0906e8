/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pictures whose vertical axis is a list of named rows. */
#ifndef PCB_PLOT_PICTURE_CATEGORY_AXIS_H
#define PCB_PLOT_PICTURE_CATEGORY_AXIS_H

#include "plot/picture/picture.h"

#include <stdbool.h>

/* Largest part of the width for names, in per cent. */
#define NAMES_PCT 65

/*
 * Adds a row below the others; returns its index. Takes ownership of the name;
 * an empty name continues the row above.
 */
size_t add_row(struct picture *p, char *name);

/*
 * Draw in a row: a bar from one value to another, a line along the middle, a
 * line across it.
 */
void add_bar(struct curve *c, size_t row, double from, double to);
void add_line(struct curve *c, size_t row, double from, double to);
void add_stroke(struct curve *c, size_t row, double at);

/* A short line across the row, as an end mark; a line as high as the row. */
void add_end(struct curve *c, size_t row, double at);
void add_cross_line(struct curve *c, size_t row, double at);

/* A cell as high as the row and 1 wide, with its middle at x. */
void add_cell(struct curve *c, size_t row, double x);

/* Writes a text in the middle of a cell, in white if that is `dark`. */
void add_number(struct picture *p, size_t row, double x, char *text, bool dark);

/* Writes a text to the right of a value. */
void add_remark(struct picture *p, size_t row, double at, char *text);

/* The number of tics that fit on the horizontal axis beside the names. */
unsigned room_beside(const struct picture *p);

/*
 * The part of the horizontal axis, with room for `room` tics, that texts beside
 * values take; at most half.
 */
double remarks_part(const struct picture *panel, unsigned room);

/* Characters of the longest name of a row, in all panels from p down. */
size_t widest_row(const struct picture *p);

#endif
