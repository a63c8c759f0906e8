/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The legend: below the picture, as much of it as there is room for. */
#ifndef PCB_PLOT_GNUPLOT_LEGEND_H
#define PCB_PLOT_GNUPLOT_LEGEND_H

#include "plot/gnuplot/terminal.h"
#include "plot/picture/picture.h"

struct legend {
	size_t entries;    /* curves that are named; 0: there is no legend */
	size_t references; /* of them: lines to compare curves with */
	size_t left_out;
	size_t rows, columns;
	size_t width; /* of a name, in characters */
};

/* Whether it is a line to compare curves with, such as a limit: named first. */
bool is_reference(const struct curve *c);

/*
 * Lays the legend out, of all panels: in as many columns as fit, and in a
 * quarter of the picture's height, a third in a terminal of text, eight at
 * most. Where that is not enough, the last place says how many are left out. A
 * single curve needs no name, but in a list or where it is of several runs, nor
 * curves with names at their ends (line_ends.h).
 */
struct legend legend_of(const struct picture *p, const struct terminal *t);

/* Makes a picture higher, if its legend needs that: to twice as high. */
void grow_for_legend(struct picture *p, const struct terminal *t);

/*
 * A name of the picture as plain text, cut to `width` characters. Where another
 * name would be cut to the same, its number among the names, from 1, is in
 * front: no two are alike. free() it.
 */
char *legend_name(const struct picture *p, const char *name, size_t width);

/* Lines below the axes, with what they are called. */
double legend_lines(const struct legend *l, const struct terminal *t);

/* Writes the gnuplot commands for it, the margin it takes included. */
void write_legend(const struct legend *l, const struct terminal *t);

#endif
