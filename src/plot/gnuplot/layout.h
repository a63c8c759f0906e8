/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a picture has its names, its legend and its panels. */
#ifndef PCB_PLOT_GNUPLOT_LAYOUT_H
#define PCB_PLOT_GNUPLOT_LAYOUT_H

#include "plot/picture/picture.h"

/* A gnuplot terminal of -T. */
struct terminal {
	const char *name;          /* in -T */
	const char *driver;        /* gnuplot's name */
	const char *ending;        /* of file names */
	const char *end;           /* of the contents, but for blanks */
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

/* Characters of a row's name for which there is room; others are shortened. */
size_t names_width(const struct picture *p, const struct terminal *t);

/* Characters of the margin for the names of all panels; 0 without rows. */
size_t rows_margin(const struct picture *p, const struct terminal *t);

/*
 * Writes gnuplot commands for names at the right ends of curves, and for the
 * margin, if they fit better there than in a legend: in a graphics file with
 * one panel without rows, if all curves with a name are lines that end at the
 * same x, and if their names, at least two, are short, and their ends far
 * enough apart.
 */
void write_line_ends(const struct picture *p, const struct terminal *t);

/* The legend below the picture, as far as there is room. */
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
 * single curve, unless it is in a list or has several runs, for curves with
 * names at their ends, or in a page.
 */
struct legend legend_of(const struct picture *p, const struct terminal *t);

/* Writes the gnuplot commands for the legend and its margin. */
void write_legend(const struct legend *l, const struct terminal *t);

/*
 * Makes a picture as high as its rows or panels need, and then, in a file with
 * a legend, as the legend needs, but at most twice as high.
 */
void grow_picture(struct picture *p, const struct terminal *t);

/* The least legible height of a picture, in the terminal's units. */
unsigned least_height(const struct picture *p, const struct terminal *t);

/* How panels share the lines of a picture, by their rows. */
struct lines {
	double all, above, room; /* of the picture, the title, all panels */
	double between, each;    /* of a gap; of a row */
};

/* The title takes `above` lines. */
struct lines lines_of(const struct picture *p, double above,
                      const struct legend *l, const struct terminal *t);

double panel_lines(const struct picture *panel, const struct lines *lines);

/* Characters from the middle of the first panel to that of the picture. */
double title_offset(const struct picture *p, const struct terminal *t);

/* Writes the gnuplot commands for the margins of one of several panels. */
void write_margins(const struct picture *p, const struct picture *panel,
                   struct lines lines, const struct terminal *t);

#endif
