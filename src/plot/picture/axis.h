/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An axis: the part of the numbers that it shows, its unit, its tics. */
#ifndef PCB_PLOT_PICTURE_AXIS_H
#define PCB_PLOT_PICTURE_AXIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Characters that a tic of the horizontal axis takes. */
#define TIC_WIDTH 8

struct plot_point {
	double x, y;
};

struct tic {
	double at;   /* in the axis's unit */
	char *label; /* "": a minor one */
};

/* What the command line asks of an axis. */
struct axis_wish {
	bool range, log;
	double low, high; /* ns, or as in the column; low < high */
};

/*
 * Zero-initialise, perhaps with a wish, then one of the functions below, `room`
 * being how many tics have room, at least 1; release with axis_free. A wish for
 * a logarithm that the values do not have ends the program.
 * What is drawn at v / unit lies within min and max.
 */
struct axis {
	char *label;
	double unit;
	const char *unit_name; /* of a time */
	double min, max;       /* min < max; min > 0 if logarithmic */
	unsigned log;          /* the base of the logarithm, or 0 */
	double body; /* linear to there, logarithmic behind it; or 0 */
	struct axis_wish wish;
	struct tic *tic; /* none: gnuplot's own, */
	double step;     /* so far apart, or 0: as it likes */
	size_t ntics;
	char **cell; /* the names of cells, if it is of those */
	size_t ncells;
};

/* A value that exceeds the typical one by this factor hides the rest. */
#define LOG_FROM      20
#define LOG_TAIL_FROM 5 /* where what is rare is the message */

/*
 * For times from `low` to `high` ns: in ns, us, ms or s, logarithmic if
 * `high` is over `linear_to`. The label is "NAME (UNIT)".
 */
void axis_time(struct axis *a, const char *name, double low, double high,
               double linear_to, unsigned room);

/* The part of an axis with a body that the body takes. */
#define BODY_PART 0.7

/*
 * For times of which a few lie far behind the others: linear from `low` to
 * `body`, for BODY_PART of the axis, and logarithmic from there to `high`.
 * 0 < body, low < body < high; the label says where the logarithm begins. The
 * same as axis_time where the command line has a wish.
 */
void axis_long_tail(struct axis *a, const char *name, double low, double body,
                    double high, unsigned room);

/*
 * For sizes in bytes: the x of n points, ascending and different.
 * Logarithmic to the base 2 where they double rather than go up in equal
 * steps. The label is "NAME (bytes)".
 */
void axis_bytes(struct axis *a, const char *name, const struct plot_point *size,
                size_t n, unsigned room);

/*
 * From 0 to `high`, with some air above it; where a logarithm is wished for,
 * from `low`, which is over 0 then.
 */
void axis_from_zero(struct axis *a, const char *label, double low, double high,
                    unsigned room);

/* From 0 to 100, with as much air as a line at 100 takes. */
void axis_percent(struct axis *a, const char *label);

/* From `low` to `high`, linear unless a logarithm is wished for. */
void axis_plain(struct axis *a, const char *label, double low, double high,
                unsigned room);

/* Percentages from 100 down to `least`, which is over 0: logarithmic. */
void axis_tail(struct axis *a, const char *label, double least, unsigned room);

/*
 * Percentiles in nines, up to one in `most`: the axis is 1 / (1 - percentile),
 * logarithmic, so that 0 % is at 1, 90 % at 10 and 99 % at 100.
 */
void axis_nines(struct axis *a, const char *label, double most, unsigned room);

/* Keeps gnuplot's own tics of a linear axis from being more than `room`. */
void axis_few_tics(struct axis *a, unsigned room);

/* "900 ns", "2.019 ms": a time in the largest unit of which it has 1. free()
 * it. */
char *time_words(double ns);

/* The next of 1, 2, 5 and 10 times a power of ten from there up. */
double round_up(double step);

/* For `n` cells, which are 1 wide and have their middles at 1 to n. */
void axis_cells(struct axis *a, const char *label, size_t n);

/* Names the next cell, from the first one on; takes ownership of the name. */
void axis_cell_name(struct axis *a, char *name);

/* A tic with a text, or with a size in bytes, in K and M where `in_k`. */
void axis_tic(struct axis *a, double at, const char *label);
void axis_size_tic(struct axis *a, double at, double bytes, bool in_k);

/* How far along the axis a value is drawn, from 0 to 1; and the value there. */
double axis_position(const struct axis *a, double value);
double axis_value(const struct axis *a, double position);

void axis_free(struct axis *a);

#endif
