/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A picture of any kind: axes and curves, independent of gnuplot. */
#ifndef PCB_PLOT_PICTURE_PICTURE_H
#define PCB_PLOT_PICTURE_PICTURE_H

#include "plot/picture/axis.h"

#include <stdbool.h>
#include <stdint.h>

enum style {
	STYLE_STEPS,
	STYLE_POINTS, /* joined by lines */
	STYLE_DASHED, /* the same, dashed and open */
	STYLE_LINES,
	STYLE_MODEL, /* dashed lines */
	STYLE_BAND,  /* a pale area */
	STYLE_FLOOR, /* thin and dotted */
	STYLE_DOTS,  /* small points */
	STYLE_RING,  /* open circles around points of a curve */

	/* In rows. */
	STYLE_BAR,  /* a filled area */
	STYLE_PALE, /* a pale area */
	STYLE_LINE,
	STYLE_STROKE, /* a thick line */
	STYLE_MARK,   /* large points */
	STYLE_CROSS,
	STYLE_CELL /* points in the middle of squares with shades */
};

/* The colour of a model that several curves share. */
#define COLOUR_NONE SIZE_MAX

struct curve {
	enum style style;
	size_t colour; /* curves with equal numbers belong together */
	unsigned dash; /* tells curves of one colour and style apart */
	bool thin;     /* one of several equal curves */
	char *name;    /* in the legend; NULL: not there */
	char *whole;   /* for the pointer, if another; or NULL */
	struct plot_point *point; /* NAN interrupts the curve */
	size_t n, max;
	char **says; /* for the pointer: a text for each mark, or none */
	size_t nsays;
};

/* A text beside a row of a list. */
struct remark {
	size_t row;
	double at;
	char *text;
	bool centred, white; /* in the middle of a cell; of a dark one */
};

/* The values of the lightest and the darkest cell. */
struct shades {
	char *label; /* unit; NULL: no cells */
	double low, high;
	bool log;
};

/*
 * The caller sets width, height, room, room_y and perhaps title; a kind sets
 * the rest. Zero-initialise; release with picture_free. Texts are as in the
 * data: not yet safe.
 */
struct picture {
	unsigned width, height; /* distinguishable dots */
	const char *measure;    /* of samples: -c, or NULL */
	const char *x_column;   /* --x, or NULL */
	double tolerance;       /* per cent, --tolerance */
	unsigned room, room_y;  /* number of tics that fit on each axis */
	bool page;     /* for a browser, where a point takes 140 bytes */
	bool untitled; /* shows neither title nor subtitle */
	char *title;
	char *subtitle;   /* pieces separated by ", " */
	char *note;       /* how to read it, or NULL */
	struct axis x, y; /* y has no label if there are rows */
	char **row;
	size_t nrows;
	struct remark *remark;
	size_t nremarks;
	struct curve *curve;
	size_t n;
	struct shades shades;
	struct picture *below; /* the next panel, or NULL */
};

/*
 * Adds a panel below all others, with its own axes, rows and curves, and the
 * room of the picture; title and legend belong to the picture, which releases
 * it.
 */
struct picture *picture_below(struct picture *p);

/*
 * Adds a curve, perhaps without points; takes ownership of the name and of all
 * points of `from` (NULL: none), which is empty then.
 */
struct curve *picture_take(struct picture *p, enum style style, char *name,
                           size_t colour, struct curve *from);

/* The same with a copy of the name (or NULL), if `from` has any points. */
void picture_take_if(struct picture *p, enum style style, const char *name,
                     size_t colour, struct curve *from);

/* The curve may be zero-initialised and in no picture; free its points. */
void curve_add(struct curve *c, double x, double y);
void curve_append(struct curve *c, const struct curve *from);

/*
 * What the pointer says at the mark that was added last: a point, or in a curve
 * with interruptions all since the one before. All marks of a curve or none
 * have a text. Takes ownership.
 */
void curve_say(struct curve *c, char *text);

/* Adds the corners of steps through these points: lines join them. */
void curve_corners(struct curve *c, const struct curve *steps);

void curve_sort(struct curve *c);   /* by x, then y */
void curve_unique(struct curve *c); /* sorts, keeps the first of each x */

/* The number of points of all curves. */
size_t picture_points(const struct picture *p);

struct value_range {
	double low, high;
};

/* The range of x, or y, of all curves; 0 to 0 if there are none. */
struct value_range picture_range(const struct picture *p, bool of_y);

/*
 * Sets the horizontal axis for sizes in bytes, from the curves so far; its
 * label is "NAME (bytes)".
 */
void axis_of_sizes(struct picture *p, const char *name);

/* The median of x, or y, of the points of n curves; 0 without points. */
double points_middle(const struct curve c[], size_t n, bool of_y);

void picture_free(struct picture *p);

/* Rows: pictures whose vertical axis is a list of named rows --------------- */

/* Largest part of the width for names, in per cent. */
#define NAMES_PCT 54

/* Parts of a row's height that bars and lines across it take. */
#define STROKE    0.6
#define END_MARK  0.3
#define WHOLE_ROW 1

/*
 * Adds a row below the others; returns its index. Takes ownership of the name;
 * an empty name continues the row above.
 */
size_t add_row(struct picture *p, char *name);

/*
 * Draw in a row: a bar from one value to another, a line along the middle, and
 * a line across it; bar and line across are as high as this part of the row.
 */
void add_bar(struct curve *c, size_t row, double from, double to, double part);
void add_line(struct curve *c, size_t row, double from, double to);
void add_across(struct curve *c, size_t row, double at, double part);

/* Writes a text to the right of a value; takes ownership. */
void add_remark(struct picture *p, size_t row, double at, char *text);

/* The number of tics that fit on the horizontal axis beside the names. */
unsigned room_beside(const struct picture *p);

/*
 * Sets the horizontal axis beside the names of rows, as axis_values does, with
 * room for texts beside values.
 */
void axis_beside(struct picture *p, const char *name, const char *unit,
                 double low, double high, double linear_to);

/* Characters of the longest name of a row, in all panels from p down. */
size_t widest_row(const struct picture *p);

/* Sorts n numbers in ascending order; none is NaN. */
void sort_ascending(double *value, size_t n);

/* Sorts n numbers and returns their median; n is not 0. */
double sorted_middle(double *value, size_t n);

#endif
