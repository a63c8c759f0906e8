/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A picture of any kind: what the command line asks for, and its texts. */
#ifndef PCB_PLOT_PICTURE_PICTURE_H
#define PCB_PLOT_PICTURE_PICTURE_H

#include "common/base/util.h"

#include <math.h>

/* Memory ------------------------------------------------------------------- */

/*
 * The program draws one picture and ends: what these return lasts until then.
 * keep returns n zeroed items, at least one; words a formatted text.
 */
void *keep(size_t n, size_t size) NEVER_NULL;
char *words(const char *fmt, ...) PRINTF_LIKE(1, 2) NEVER_NULL;

/* Both texts with `between` if neither is "", else the other. */
char *joined(const char *a, const char *between, const char *b) NEVER_NULL;

/* A copy of a text of xasprintf and others, which it frees. */
char *keep_text(char *text) NEVER_NULL;

/* Like xappend and array_push. */
void add_words(char **list, const char *between, const char *fmt, ...)
    PRINTF_LIKE(3, 4);
#define PUSH(list, n, ...)                                                     \
	((list) = keep_more((list), (n), sizeof *(list)),                      \
	 (list)[(n)++] = (__VA_ARGS__))
void *keep_more(void *list, size_t n, size_t size) NEVER_NULL;

/* The picture -------------------------------------------------------------- */

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
	bool text;                 /* draws with characters */
	bool page;                 /* in a page that has the legend */
	bool untitled;             /* for a page that has a caption */
};

/* A value that exceeds the typical one by this factor hides the rest. */
#define LOG_FROM      20
#define LOG_TAIL_FROM 5 /* if rare values are the message */

/* The command line's request for an axis. */
struct axis_wish {
	bool range, log;
	double low, high; /* ns, or the column's unit; low < high */
};

/* On the axes of a panel. A span lasts from x to another x. */
struct place {
	size_t panel;
	double look; /* of the series, or 0 */
	double x, y, to;
};

/* What the pointer says there. */
struct tip {
	struct place at;
	const char *name, *text; /* the name may be NULL or "" */
};

/*
 * The caller sets what the command line says; a kind sets the texts and hands
 * over its data, by drawing.h. Zero-initialise. Texts are as in the data: not
 * yet safe.
 */
struct picture {
	/* The command line. */
	const char *kind;
	const struct terminal *terminal;
	unsigned width, height; /* dots or characters */
	bool fixed;             /* the height is given */
	bool colour;            /* a text, in colours */
	const char *measure;    /* of samples: -c, or NULL */
	const char *x_column;   /* --x, or NULL */
	double tolerance;       /* per cent, --tolerance */
	struct axis_wish x, y;

	/* Texts. */
	char *title;          /* given, until names_describe adds the kind */
	char *finding;        /* for the title, or below a given one; or NULL */
	char *subtitle;       /* pieces separated by ", " */
	char *note;           /* how to read it, or NULL */
	double tick;          /* ns: an axis of times spans some of them */
	bool empty;           /* nothing to draw */
	const char *template; /* share/pcb-tools/plot/TEMPLATE.gp */

	/* A value v of points, tips and ends is drawn at v / unit. */
	double x_unit, y_unit;

	/* What drawing.h has put so far. */
	FILE *vars;
	struct composed composed;
	size_t points; /* of the current series */
	bool begun;    /* a series of the block */
	struct tip *tip;
	size_t ntips, panel; /* panel: of the next tips */
	const struct curve *series;
	size_t nseries;
};

/* Curves ------------------------------------------------------------------- */

struct plot_point {
	double x, y; /* y may be NAN: none */
};

/* Colours of curves; then the looks of many others, which are pale; of bounds.
 */
enum { COLOURS = 8, PALE, BOUND };

/* Points, zero-initialised; and how a curve of them looks. */
struct curve {
	struct plot_point *point;
	size_t n;
	double look, dash; /* from 1 on */
	bool bare;         /* without points */
	char *name;        /* NULL: none */
	char *whole;       /* for the pointer, if another; or NULL */
};

void curve_add(struct curve *c, double x, double y);
void curve_append(struct curve *c, const struct curve *from);
void curve_sort(struct curve *c); /* by x, then y */

/*
 * Sorts, and puts the median in place of several values at one x, NAN if there
 * is none. Adds the lowest and the highest of several to curves, unless these
 * are NULL.
 */
void curve_merge(struct curve *c, struct curve *low, struct curve *high);

/* The value of a sorted curve at x, or NAN. */
double curve_at(const struct curve *c, double x);

/* Values, or an axis; at first RANGE_OF_NONE. */
struct range {
	double low, high;
};
#define RANGE_OF_NONE ((struct range){INFINITY, -INFINITY})

/* Widens a range to a value, unless that is NAN, or to those of n curves. */
void widen(struct range *r, double value);
void widen_to(struct range *r, const struct curve c[], size_t n, bool of_y);
struct range range_of(const struct curve c[], size_t n, bool of_y);

/* The median of x, or y, of the points of n curves; 0 without points. */
double points_middle(const struct curve c[], size_t n, bool of_y);

/* Sorts n numbers and returns their median; n is not 0. */
double sorted_middle(double *value, size_t n);

#endif
