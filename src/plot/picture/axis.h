/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An axis: range, unit and tics. */
#ifndef PCB_PLOT_PICTURE_AXIS_H
#define PCB_PLOT_PICTURE_AXIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Characters per tic of the horizontal axis. */
#define TIC_WIDTH 8

struct plot_point {
	double x, y;
	double z; /* the value of a cell */
};

struct tic {
	double at;   /* in the axis's unit */
	char *label; /* "": a minor tic */
};

/* The command line's request for an axis. */
struct axis_wish {
	bool range, log;
	double low, high; /* ns, or the column's unit; low < high */
};

/*
 * Zero-initialise, perhaps with a request; then call one of the functions
 * below, where `room` is the number of tics that fit, at least 1. Release with
 * axis_free. A request for a logarithm that the values do not allow ends the
 * program. A value v is drawn at v / unit, within min and max.
 */
struct axis {
	char *label;
	double unit;
	const char *unit_name;
	double min, max; /* min < max; min > 0 if logarithmic */
	unsigned log;    /* base of the logarithm, or 0 */
	double body;     /* linear up to this, logarithmic above; or 0 */
	struct axis_wish wish;
	struct tic *tic; /* none: gnuplot's own, */
	double step;     /* at this distance, or 0: any */
	double last;     /* and none above this, or 0: all */
	double tick;     /* ns: the axis of times spans TICKS_LEAST of them */
	size_t ntics;
	char **cell; /* names of cells; NULL without cells */
	size_t ncells;
};

/* A value that exceeds the typical one by this factor hides the rest. */
#define LOG_FROM      20
#define LOG_TAIL_FROM 5 /* if rare values are the message */

/*
 * From `low` to `high`, logarithmic if `high` exceeds `linear_to`. The label is
 * "NAME (UNIT)", or NAME without a unit; "ns" becomes ns, us, ms or s.
 */
void axis_values(struct axis *a, const char *name, const char *unit, double low,
                 double high, double linear_to, unsigned room);

/* A clock with coarse ticks must not make a difference of one a cliff. */
#define TICKS_LEAST 10

/* The part of an axis that its body takes. */
#define BODY_PART 0.7

/*
 * For times of which a few are far above the others: linear from `low` to
 * `body`, over BODY_PART of the axis, and logarithmic from there to `high`; the
 * label names the limit. 0 < body, low < body < high. If the command line has a
 * request, the same as axis_values.
 */
void axis_long_tail(struct axis *a, const char *name, double low, double body,
                    double high, unsigned room);

/*
 * For sizes in bytes: the x of n points, ascending and distinct. Logarithmic to
 * base 2 if they double rather than increase in equal steps. The label is "NAME
 * (bytes)".
 */
void axis_bytes(struct axis *a, const char *name, const struct plot_point *size,
                size_t n, unsigned room);

/*
 * The same from 0, with a margin above `high`; from `low` if that is negative,
 * or if the command line has a request.
 */
void axis_from_zero(struct axis *a, const char *name, const char *unit,
                    double low, double high, unsigned room);

/* From 0 to 100, with a margin for a line at 100. */
void axis_percent(struct axis *a, const char *label);

/* Limits gnuplot's own tics of a linear axis to `room`. */
void axis_few_tics(struct axis *a, unsigned room);

/*
 * "900 ns", "2.019 ms": a time in the largest unit of which it is at least 1.
 * Free it.
 */
char *time_words(double ns);

/*
 * A number with so many significant digits; larger ones as a whole number, not
 * with an exponent. Free it.
 */
char *number_words(double value, int digits);

/* The least of 1, 2, 5 and 10 times a power of ten that is not below `step`. */
double round_up(double step);

/* Adds a tic with a text, or with a size in bytes, in K and M if `in_k`. */
void axis_tic(struct axis *a, double at, const char *label);
void axis_size_tic(struct axis *a, double at, double bytes, bool in_k);

/* The position of a value along the axis, from 0 to 1. */
double axis_position(const struct axis *a, double value);

void axis_free(struct axis *a);

#endif
