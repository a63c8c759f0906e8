/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers as shades of cells, with a legend. */
#ifndef PCB_PLOT_KIND_COLOUR_SCALE_H
#define PCB_PLOT_KIND_COLOUR_SCALE_H

#include "plot/picture/picture.h"

/*
 * Zero-initialise; extend by all values, choose, add the cells, finish: this
 * gives the picture a curve for each shade in use.
 */
struct shades {
	double low, high;
	size_t values;

	double first, step; /* edges; step is a factor if `log` */
	bool log;
	size_t n; /* shades in use, at most COLOUR_STEPS */
	double unit;
	const char *unit_name;
	struct curve cell[COLOUR_STEPS];
};

void shades_extend(struct shades *s, double value);

/* Rounds the edges; the measure's name has the unit. */
void shades_choose(struct shades *s, const char *measure);

/* Adds a cell of a row with its middle at x, with its number if `numbered`. */
void shades_add(struct shades *s, struct picture *p, size_t row, double x,
                double value, bool numbered);

void shades_finish(struct shades *s, struct picture *p);

#endif
