/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A picture, whatever its kind: axes and curves, before they are gnuplot's. */
#ifndef PCB_PLOT_PICTURE_PICTURE_H
#define PCB_PLOT_PICTURE_PICTURE_H

#include "plot/picture/axis.h"

#include <stdbool.h>
#include <stdint.h>

/* Colours of STYLE_CELL, from low to high. */
#define COLOUR_STEPS 7

enum style {
	STYLE_STEPS,
	STYLE_POINTS, /* with lines between them */
	STYLE_DASHED, /* the same, dashed and open */
	STYLE_LINES,
	STYLE_MODEL, /* dashed lines */
	STYLE_BAND,  /* the area within, pale */
	STYLE_FLOOR, /* dotted, thin */
	STYLE_DOTS,  /* small points */
	STYLE_RING,  /* open ones, around those of a curve */

	/* In rows (category_axis.h). */
	STYLE_BAR,  /* an area, filled */
	STYLE_PALE, /* the same, pale */
	STYLE_LINE,
	STYLE_STROKE, /* a thick line */
	STYLE_MARK,   /* large points */
	STYLE_CELL    /* a filled area, its colour one of a ramp */
};

/* The colour of a model that is not that of one curve alone. */
#define COLOUR_NONE SIZE_MAX

struct curve {
	enum style style;
	size_t colour; /* curves of one number belong together */
	bool thin;     /* one of several of the same */
	char *name;    /* as it stands in the legend; NULL: it does not */
	struct plot_point *point; /* an x of NAN: what follows is apart */
	size_t n, max;
};

/* A text beside a row of a list. */
struct remark {
	size_t row;
	double at;
	char *text;
	bool centred, white;
};

/* Limits of a bandwidth that the command line asks for; 0: it does not. */
struct roofs {
	bool wanted;
	uint64_t inflight, rtt_ps; /* reads in flight, and for how long each */
	uint64_t ph, pd, loop_ps;  /* credits, and until they are back */
};

/*
 * The caller sets width, height, room, room_y and perhaps title, a kind the
 * rest. Zero-initialise; release with picture_free. Texts are as in the data:
 * not yet safe.
 */
struct picture {
	unsigned width, height; /* dots that can be told apart */
	const char *measure;    /* of samples: what -c names, or NULL */
	const char *x_column;   /* what --x names, or NULL */
	struct roofs roofs;
	double tolerance;   /* percent, of --tolerance */
	uint64_t *ethernet; /* bit/s, of --ethernet */
	size_t nethernets;
	unsigned room, room_y; /* for tics on the two axes */
	bool wide;             /* two panels have room beside each other */
	bool untitled; /* it shows neither what it is of nor what is constant */
	char *title;
	char *subtitle;   /* pieces with ", " between */
	char *note;       /* how to read it, or NULL */
	struct axis x, y; /* y has no label where there are rows instead */
	char **row;
	size_t nrows;
	struct remark *remark;
	size_t nremarks;
	struct curve *curve;
	size_t n;
	struct picture *below; /* another panel under this one, or NULL */
	bool beside; /* not under, but right of all others: the last one */
};

/*
 * Adds a panel below all others: axes, rows and curves of its own; title,
 * legend and size are those of the picture, which releases it.
 */
struct picture *picture_below(struct picture *p);

/*
 * Adds a curve without points, its colour a new one; takes ownership of the
 * name.
 */
struct curve *picture_add(struct picture *p, enum style style, char *name);

/* The same, with all points of `from`, which is then empty. */
struct curve *picture_take(struct picture *p, enum style style, char *name,
                           struct curve *from);

/*
 * The same with a copy of the name, black or a bar of the first colour, if
 * `from` has any points.
 */
void picture_take_if(struct picture *p, enum style style, const char *name,
                     struct curve *from);

/* The curve may be a zero-initialised one of no picture; free(point). */
void curve_add(struct curve *c, double x, double y);
void curve_append(struct curve *c, const struct curve *from);
void curve_sort(struct curve *c);   /* as by_x says */
void curve_unique(struct curve *c); /* sorts; the first of each x stays */

/* For qsort, of what begins with a point: by x, then y. */
int by_x(const void *a, const void *b);

/* How many points all curves have. */
size_t picture_points(const struct picture *p);

struct value_range {
	double low, high;
};

/* What the x of all curves, or their y, lie within; 0 to 0 if there is none. */
struct value_range picture_range(const struct picture *p, bool of_y);

/*
 * Sets the horizontal axis for sizes in bytes, from the curves there are; its
 * label is "NAME (bytes)".
 */
void axis_of_sizes(struct picture *p, const char *name);

/* Sets the vertical axis: from 0 to the highest point of all curves. */
void axis_of_bandwidth(struct picture *p, const char *label);

void picture_free(struct picture *p);

#endif
