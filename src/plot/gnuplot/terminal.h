/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The gnuplot terminals of -T, and the colours of curves. */
#ifndef PCB_PLOT_GNUPLOT_TERMINAL_H
#define PCB_PLOT_GNUPLOT_TERMINAL_H

#include "plot/picture/picture.h"

#include <stdbool.h>

struct terminal {
	const char *name;          /* in -T */
	const char *driver;        /* gnuplot's name */
	const char *ending;        /* of file names */
	const char *font;          /* NULL: the driver's own */
	unsigned font_size;        /* points; pixels in svg */
	const char *options;       /* of the driver */
	unsigned width, height;    /* default, in pixels or characters */
	unsigned least_w, least_h; /* smallest legible size */
	unsigned most;             /* largest width or height */
	unsigned em_w, em_h;       /* size of a character */
	unsigned per_inch;         /* 0: the driver uses our units */
	double scale;              /* dots per dot of the picture */
	bool text;                 /* draws with characters */
	bool page;                 /* in a page that has the legend */
	bool untitled;             /* for a page that has a caption */
};

/* All terminals; the first is the default, the last has no name. */
extern const struct terminal terminals[];

/* The terminal called `name`, or NULL. */
const struct terminal *terminal_find(const char *name);

/*
 * Sets the font (NULL: keep it; the name must outlive the terminal) and its
 * size (0: keep it), and scales the size of characters.
 */
void terminal_set_font(struct terminal *t, const char *name, unsigned size);

/* The size of the title's font. */
unsigned terminal_title_size(const struct terminal *t);

/* Number of curves with distinct colours. */
#define COLOURS 7

/* Colour of a curve, such as "#0072B2"; constant. */
const char *curve_colour(const struct curve *c);

/* A darker shade, legible as text on white; constant. */
const char *curve_text_colour(const struct curve *c);

#endif
