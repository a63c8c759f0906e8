/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pictures whose vertical axis is a list: one row for each name. */
#ifndef PCB_PLOT_PICTURE_CATEGORY_AXIS_H
#define PCB_PLOT_PICTURE_CATEGORY_AXIS_H

#include "plot/picture/picture.h"

#include <stdbool.h>

/* The part of the width that names have at most, in percent. */
#define NAMES_PCT 65

/*
 * Adds a row below the others; its number, from 0. Takes ownership of the
 * name; a row that goes on with the one above it has an empty one.
 */
size_t add_row(struct picture *p, char *name);

/*
 * What is drawn in a row: a bar from one value to another, a line along the
 * middle, a line across it.
 */
void add_bar(struct curve *c, size_t row, double from, double to);
void add_line(struct curve *c, size_t row, double from, double to);
void add_stroke(struct curve *c, size_t row, double at);

/* A short line across the row, as the end of one along it; one as high as it.
 */
void add_end(struct curve *c, size_t row, double at);
void add_cross_line(struct curve *c, size_t row, double at);

/* A cell as high as the row and 1 wide, its middle at x. */
void add_cell(struct curve *c, size_t row, double x);

/* Writes the text in the middle of a cell, in white where that is `dark`. */
void add_number(struct picture *p, size_t row, double x, char *text, bool dark);

/* Writes the text behind a value, to the right of it. */
void add_remark(struct picture *p, size_t row, double at, char *text);

/* How many tics the horizontal axis has room for beside the names. */
unsigned room_beside(const struct picture *p);

/*
 * What part of the horizontal axis, which has room for so many tics, the texts
 * behind values take: at most half of it.
 */
double remarks_part(const struct picture *panel, unsigned room);

/* The characters of the longest name of a row, of all panels from p down. */
size_t widest_row(const struct picture *p);

#endif
