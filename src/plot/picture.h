/* A picture, whatever its kind: axes and curves, before they are gnuplot's. */
#ifndef PCB_PLOT_PICTURE_H
#define PCB_PLOT_PICTURE_H

#include "plot/axis.h"

enum style { STYLE_STEPS, STYLE_POINTS, STYLE_LINES, STYLE_MODEL };

/* The colour of a model that is not that of one curve alone. */
#define COLOUR_NONE SIZE_MAX

struct curve {
	enum style style;
	size_t colour; /* curves of one number belong together */
	char *name;    /* as it stands in the legend */
	struct point *point;
	size_t n, max;
};

/*
 * The caller sets width, height, room and perhaps title, a kind the rest.
 * Zero-initialise; release with picture_free. Texts are as in the data: not yet
 * safe.
 */
struct picture {
	unsigned width, height; /* dots that can be told apart */
	unsigned room;          /* for tics on the horizontal axis */
	char *title;
	char *subtitle; /* pieces with ", " between */
	struct axis x, y;
	struct curve *curve;
	size_t n;
};

/*
 * Adds a curve without points, its colour a new one; takes ownership of the
 * name.
 */
struct curve *picture_add(struct picture *p, enum style style, char *name);

/* The same, with all points of `from`, which is then empty. */
struct curve *picture_take(struct picture *p, enum style style, char *name,
                           struct curve *from);

/* The curve may be a zero-initialised one of no picture; free(point). */
void curve_add(struct curve *c, double x, double y);
void curve_sort(struct curve *c); /* by x, then y */
void curve_thin(struct curve *c); /* sorts; the first point of each x stays */

void picture_free(struct picture *p);

#endif
