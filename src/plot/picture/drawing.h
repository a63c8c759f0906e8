/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a kind hands its gnuplot template: numbers, texts, data, tips. */
#ifndef PCB_PLOT_PICTURE_DRAWING_H
#define PCB_PLOT_PICTURE_DRAWING_H

#include "plot/picture/picture.h"

/* Numbers and texts, as variables; arrays, of which none is empty. */
void put_number(struct picture *p, const char *name, double value);
void put_text(struct picture *p, const char *name, const char *text);
void put_numbers(struct picture *p, const char *name, const double *value,
                 size_t n);
void put_texts(struct picture *p, const char *name, char *const *text,
               size_t n);

/* The same for names of tics, in which gnuplot expects formats. */
void put_tics(struct picture *p, const char *name, char *const *text, size_t n);

/*
 * A data block $NAME of points, in series that gnuplot calls indices. Between
 * block_begin and block_end come points; block_gap interrupts a line, and
 * block_next begins the next series, also one without points. NAN: no value.
 */
void block_begin(struct picture *p, const char *name);
#define POINT(p, ...)                                                          \
	block_point(p, (const double[]){__VA_ARGS__},                          \
	            sizeof((const double[]){__VA_ARGS__}) / sizeof(double))
void block_point(struct picture *p, const double *value, size_t n);
void block_gap(struct picture *p);
void block_next(struct picture *p);
void block_end(struct picture *p);

/*
 * What the pointer says at a place; `name` is a first line, unless it is "" or
 * NULL.
 */
void add_tip(struct picture *p, struct place at, const char *name,
             const char *fmt, ...) __attribute__((format(printf, 4, 5)));
#define AT(px, py)        ((struct place){.x = (px), .y = (py), .to = NAN})
#define SPAN(px, pto, py) ((struct place){.x = (px), .y = (py), .to = (pto)})
/*
 * The colour of a curve of named_curves, from 1; 9: that of others, which are
 * pale and have one name.
 */
double look_of(const struct curve *c);

/* Writes n, look[n] and name[n], also for the buttons of a page. */
void put_series(struct picture *p, const struct curve c[], size_t n);

/* A name of a curve, at its right end or in a key. */
struct end {
	double x, y; /* of the end */
	char *name;  /* taken */
	double look; /* 10: of a bound */
	double dash, hue;
	enum key_mark {
		MARK_LINE,
		MARK_CURVE,
		MARK_POINT,
		MARK_BOX,
		MARK_RING
	} mark;
};

/*
 * Names curves at their ends, moved apart, if they are several and there is
 * room; else in a key below the axes.
 */
void put_ends(struct picture *p, struct end end[], size_t n);

/* Writes a key: at most a quarter of the height, then "and 3 more". */
void put_key(struct picture *p, struct end end[], size_t n);

/* An array of a field of n structs: PUT(p, "x", list, n, x). */
#define PUT(p, name, list, n, field)                                           \
	put_field((p), (name), (n) ? &(list)->field : NULL, (n), sizeof *(list))
void put_field(struct picture *p, const char *name, const double *first,
               size_t n, size_t size);

/* Columns of the widest of these texts, NULL among them. */
size_t widest_of(char *const *text, size_t n);

/* The largest unit in which a time is at least 10: "us", and its ns. */
double time_unit(double ns, const char **name);

/* An axis: a value v is drawn at v / unit. */
struct scale {
	double low, high, unit;
	unsigned log; /* base of the logarithm, or 0 */
	const char *unit_name;
};

/*
 * From `low` to `high`, with margins, unless the command line asks for another
 * range; logarithmic if it asks for that, or if `high` exceeds `linear_to`.
 * Times are "ns", in a unit that suits.
 */
struct scale choose_scale(const struct picture *p, bool of_y, const char *unit,
                          double low, double high, double linear_to);

/* The same from 0, unless `low` is negative, with a margin above. */
struct scale scale_from_zero(const struct picture *p, bool of_y,
                             const char *unit, double low, double high);

/* For sizes in bytes, ascending and distinct: to base 2 if they double. */
struct scale scale_of_sizes(const struct picture *p, const double size[],
                            size_t n);

/* The place of a value along the axis, from 0 to 1. */
double scale_position(const struct scale *s, double value);

/* Writes it as xlo, xhi, xlog and xlabel, "NAME (UNIT)", or ylo and so on. */
void put_scale(struct picture *p, bool of_y, const struct scale *s,
               const char *name);

/*
 * Rows of a picture: their names, each cut to half of the width, at a place
 * from 1 on downwards. Takes the names. The picture grows with `rows`.
 */
void put_rows(struct picture *p, char *name[], const double at[], size_t n,
              double rows, double below);

/* Makes the picture as high as so many lines, or dies if it must not grow. */
void grow_to(struct picture *p, double lines, double least);

/* Characters and lines of the picture. */
double text_columns(const struct picture *p);
double text_lines(const struct picture *p);

#endif
