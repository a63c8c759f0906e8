/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads rows, and samples of latency for kinds that show distributions. */
#ifndef PCB_PLOT_DATA_SAMPLES_H
#define PCB_PLOT_DATA_SAMPLES_H

#include "common/stat/histogram.h"
#include "plot/data/captions.h"

/* Rows --------------------------------------------------------------------- */

#define MEASURES_MAX 8

/* Set the first four, zero the rest; release with row_reader_free. */
struct row_reader {
	/*
	 * Measures: a row's value is the first of these that it has; ends with
	 * NULL, at most MEASURES_MAX.
	 */
	const char *const *measures;
	const char *place;   /* another required column, or NULL */
	const char *axis;    /* column that is not part of the key, or NULL */
	const char *lacking; /* for a message: what skipped rows lack */
	bool holes;          /* stop also at rows that only lack a measure */

	/* Current row. */
	bool hole;        /* it has no value */
	size_t col;       /* of the value */
	uint64_t weight;  /* `count`, or 1 */
	struct key key;   /* columns that distinguish curves */
	bool key_is_same; /* known to equal the row before */

	const char *measure; /* of the first row; without rows, the first */
	size_t *identity;    /* columns of the key, ascending */
	size_t n;
	size_t known; /* columns examined so far; index of each, or -1: */
	ptrdiff_t measure_at[MEASURES_MAX], place_at, count_at;
	uintmax_t skipped;
};

/*
 * Steps to the next row with the place, a measure and a weight. False at the
 * end, after a warning about skipped rows; dies if all rows lack a column, if
 * the input is bad, or if measures have different units.
 */
bool row_reader_next(struct row_reader *r, struct table *t);

void row_reader_free(struct row_reader *r);

/*
 * The number in column `col` of the current row; row_size: an integer, 0 or
 * more. Both die if it is another text, or so large that gnuplot cannot draw
 * it.
 */
double row_value(const struct table *t, size_t col);
double row_size(const struct table *t, size_t col);

/* The same by column name; NAN if the column or its text is missing. */
double row_number(const struct table *t, const char *name);

/* Adds the number in column `col`, `weight` times. */
void row_sample(const struct table *t, size_t col, uint64_t weight,
                struct histogram *d);

/* The percentile of a finished distribution that is not empty. */
double percentile(const struct histogram *d, uint64_t pct);

/* Whether the current row has a text in the column called `name`. */
bool row_has(const struct table *t, const char *name);

/*
 * The index in `keys` of the current row's key, made of the key columns that
 * `pick` accepts.
 */
size_t row_key(struct key_set *keys, const struct table *t,
               bool (*pick)(const char *column));

/* Samples ------------------------------------------------------------------ */

/*
 * Reads all rows: adds each measure, with its weight, to the group of its key.
 * Dies and warns as row_reader_next does.
 */
void read_groups(struct groups *g, struct row_reader *r, struct table *t);

/*
 * Reads all rows with the measure `latency_ns`, or of -c, sets the titles, and
 * calls `draw`. Runs that differ in nothing else are groups of one name.
 */
void draw_samples(struct picture *p, struct table *t,
                  void (*draw)(struct picture *p, const struct groups *g,
                               const struct names *names));

/* Range of the samples of all groups; 0 without groups. */
struct extent {
	double low, high;
	double typical;    /* the lowest median, which must be visible */
	uint64_t most;     /* samples of a group; at least 1 */
	double body;       /* highest value of the percentile below */
	unsigned promille; /* in per mille; 0: even p90 is not near */
};

struct extent extent_of(const struct groups *g);

/*
 * A horizontal axis for all samples, logarithmic for their tail. That starts
 * above the highest p99.9, p99, p95 or p90, whichever is the first near the
 * lowest median, if it would take more than half of the axis. An axis without
 * a tail is logarithmic if the largest sample is over LOG_FROM times the lowest
 * median.
 */
void axis_of_samples(struct picture *p, const struct groups *g);

/* The named_curves of all groups; free the array by take_samples. */
struct curve *sample_curves_of(const struct names *names,
                               const struct groups *g);

/* Moves the n curves, which have points now, to the picture. */
void take_samples(struct picture *p, enum style style, struct curve curve[],
                  size_t n);

/*
 * Adds to the curve the corners of the distribution's step function: x is a
 * value, y the percentage of samples up to it, from 0 at the smallest value to
 * 100 at the largest. Corners are exact. Drops a corner if that changes the
 * curve by less than half a dot of the picture. Needs the axes.
 */
void add_steps(struct curve *c, const struct histogram *d,
               const struct picture *p);

/* Adds a curve for each group, with its name. */
void add_curves(struct picture *p, const struct groups *g,
                const struct names *names);

#endif
