/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a kind hands its gnuplot template: numbers, texts, data, tips. */
#ifndef PCB_PLOT_PICTURE_DRAWING_H
#define PCB_PLOT_PICTURE_DRAWING_H

#include "common/stream/preamble.h"
#include "plot/picture/picture.h"
#include "plot/picture/quote.h"

/* Numbers and texts, as variables. */
void put_number(struct picture *p, const char *name, double value);
void put_text(struct picture *p, const char *name, const char *text);

/*
 * Arrays, of which none is empty: of n doubles or texts, where NULL is "", or
 * of such a field of n structs.
 */
#define PUT_LIST(p, name, list, n)                                             \
	put_array((p), (name), (list), (n), sizeof *(list), IS_TEXT(*(list)))
#define PUT(p, name, list, n, field)                                           \
	put_array((p), (name), FIRST(list, n, field), (n), sizeof *(list),     \
	          IS_TEXT((list)->field))
#define IS_TEXT(item)         _Generic((item), double : false, default : true)
#define FIRST(list, n, field) ((n) ? &(list)->field : NULL)
void put_array(struct picture *p, const char *name, const void *first, size_t n,
               size_t size, bool text);

/*
 * A data block $NAME of points, in series that gnuplot calls indices. Between
 * block_begin and block_end come points; block_gap interrupts a line, and
 * block_next begins each of several series, also one without points. NAN: no
 * value.
 */
void block_begin(struct picture *p, const char *name);
#define POINT(p, ...)                                                          \
	block_point(p, (const double[]){__VA_ARGS__},                          \
	            sizeof((const double[]){__VA_ARGS__}) / sizeof(double))
void block_point(struct picture *p, const double *value, size_t n);
void put_point(struct picture *p, double x, double y);
void block_gap(struct picture *p);
void block_next(struct picture *p);
void block_end(struct picture *p);

/*
 * What the pointer says at a place; `name` is a first line, unless it is "" or
 * NULL.
 */
void add_tip(struct picture *p, struct place at, const char *name,
             const char *fmt, ...) PRINTF_LIKE(4, 5);
#define AT(px, py)        ((struct place){.x = (px), .y = (py), .to = NAN})
#define SPAN(px, pto, py) ((struct place){.x = (px), .y = (py), .to = (pto)})
#define ON(curve, px, py)                                                      \
	((struct place){.look = (curve)->look, .x = (px), .y = (py), .to = NAN})

/* What a key shows beside a name. */
enum { MARK_LINE, MARK_CURVE, MARK_POINT, MARK_BOX, MARK_SHAPE };

/* A name in a key, or at the right end of a curve. */
struct end {
	double x, y; /* of the end */
	char *name;  /* NULL: none */
	double look, dash, hue;
	double mark; /* MARK_LINE and so on */
};

/*
 * Writes n, look and dash of curves, whose names are also the buttons of a
 * page.
 */
void put_series(struct picture *p, const struct curve c[], size_t n);

/*
 * Names curves of lines, or of lines with points, at their ends, moved apart,
 * if they are several and there is room; else, and those of points, in a key
 * below the axes.
 */
void put_ends(struct picture *p, const struct curve c[], size_t n,
              unsigned mark);
void sort_ends(struct end end[], size_t n);

/* The largest part of the width for names at ends. */
#define ENDS_PART 0.4

/* Writes ends as the template needs them; `widest`: columns of a name. */
void write_ends(struct picture *p, const struct end end[], size_t n,
                size_t widest);

/* Writes a key, unless there is but one name. */
void put_key(struct picture *p, struct end end[], size_t n);

/* As cut_names does, a field of n structs. */
#define CUT(list, n, field, width)                                             \
	cut_names(FIRST(list, n, field), (n), sizeof *(list), (width))

/* The largest unit in which a time is at least `least`: "us", and its ns. */
double time_unit(double ns, double least, const char **name);

/* An axis: a value v is drawn at v / unit. */
struct scale {
	double low, high, unit;
	unsigned log; /* base of the logarithm, or 0 */
	const char *unit_name;
};

/*
 * Over a range, with margins, unless the command line asks for another range;
 * logarithmic if it asks for that, or if the end exceeds `linear_to`. Times are
 * "ns", in a unit that suits.
 */
struct scale choose_scale(const struct picture *p, bool of_y, const char *unit,
                          struct range r, double linear_to);

/* The same from 0, unless a value is negative, with a margin above. */
struct scale scale_from_zero(const struct picture *p, bool of_y,
                             const char *unit, struct range r);

/*
 * For sizes in bytes, the places of a curve in each of n structs: to base 2 if
 * they double.
 */
#define SCALE_OF_SIZES(p, list, n, field)                                      \
	scale_of_sizes((p), FIRST(list, n, field), (n), sizeof *(list))
struct scale scale_of_sizes(const struct picture *p, const struct curve *first,
                            size_t n, size_t size);

/* The place of a value along the axis, from 0 to 1. */
double scale_position(const struct scale *s, double value);

/* "NAME (UNIT)" */
char *scale_label(const struct scale *s, const char *name);

/*
 * Writes it as xlo, xhi, xlog and xlabel, or ylo and so on; its unit is that of
 * what follows.
 */
void put_scale(struct picture *p, bool of_y, const struct scale *s,
               const char *name);

/* A block with a curve of each of n structs; NAN interrupts it. */
#define PUT_CURVES(p, name, list, n, field)                                    \
	put_curves((p), (name), FIRST(list, n, field), (n), sizeof *(list))
void put_curves(struct picture *p, const char *name, const struct curve *first,
                size_t n, size_t size);

/* Makes the picture as high as so many lines, or dies if it must not grow. */
void grow_to(struct picture *p, double lines, double least);

/* Characters and lines of the picture; with fewer lines there is no note. */
#define LINES_OF_NOTE 15
double text_columns(const struct picture *p);
double text_lines(const struct picture *p);

/*
 * Writes a script to stdout that draws the picture, including its data, with
 * gnuplot 5.2 or later; comments have the preamble, unless it is NULL, and
 * whether the input was complete. gnuplot executes nothing in a text of picture
 * or preamble. Ends what the kind has put.
 */
void write_drawing(struct picture *p, const struct preamble *preamble,
                   bool complete);

#endif
