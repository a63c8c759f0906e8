/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The legend below the picture, as far as there is room. */
#ifndef PCB_PLOT_GNUPLOT_LEGEND_H
#define PCB_PLOT_GNUPLOT_LEGEND_H

#include "plot/gnuplot/terminal.h"
#include "plot/picture/picture.h"

struct legend {
	size_t entries;    /* curves with a name; 0: no legend */
	size_t references; /* of these, reference lines */
	size_t left_out;
	size_t rows, columns;
	size_t width; /* of a name, in characters */
};

/* Whether it is a reference line, such as a limit; these are named first. */
bool is_reference(const struct curve *c);

/*
 * Lays out the legend for all panels: in as many columns as fit; at most a
 * quarter of the picture's height, or a third in a text terminal, and eight
 * names. If there are more, the last place shows their number. No legend for a
 * single curve, unless it is in a list or has several runs, or for curves with
 * names at their ends (line_ends.h).
 */
struct legend legend_of(const struct picture *p, const struct terminal *t);

/* Makes a picture higher if its legend needs that, at most twice as high. */
void grow_for_legend(struct picture *p, const struct terminal *t);

/*
 * A name of the picture as plain text, cut to `width` characters. If another
 * name would be cut to the same text, its number among the names, from 1, comes
 * first. Free it.
 */
char *legend_name(const struct picture *p, const char *name, size_t width);

/* Lines below the axes, including the axis's name. */
double legend_lines(const struct legend *l, const struct terminal *t);

/* Writes the gnuplot commands for the legend and its margin. */
void write_legend(const struct legend *l, const struct terminal *t);

#endif
