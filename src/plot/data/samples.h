/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads rows, and samples of latency for kinds that show distributions. */
#ifndef PCB_PLOT_DATA_SAMPLES_H
#define PCB_PLOT_DATA_SAMPLES_H

#include "common/stat/histogram.h"
#include "plot/data/captions.h"

/* Rows --------------------------------------------------------------------- */

#define MEASURES_MAX  8
#define MEASURES(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Set the first ones, zero the rest. */
struct row_reader {
	/*
	 * A row's value is the first of these that it has. They and the place
	 * may be names that a user typed.
	 */
	const char *const *measures; /* MEASURES of at most MEASURES_MAX */
	const char *place;           /* another required column, or NULL */
	const char *axis;    /* column that is not part of the key, or NULL */
	const char *besides; /* another such column, or NULL */
	const char *lacking; /* for a message: what skipped rows lack */
	bool holes;          /* stop also at rows that only lack a measure */
	bool first_unit;     /* skip rows of another unit than the first */
	bool runs_apart;     /* else rows that differ in the run have one key */

	/* Current row. */
	bool hole;        /* it has no value */
	size_t col;       /* of the value */
	uint64_t weight;  /* `count`, or 1 */
	struct key key;   /* columns that distinguish curves */
	bool key_is_same; /* known to equal the row before */

	const char *measure; /* of the first row; without rows, the first; the
	                        table's name */
	size_t *identity;    /* columns of the key, ascending */
	size_t n;
	size_t known; /* columns examined so far; index of each, or -1: */
	ptrdiff_t measure_at[MEASURES_MAX], place_at, count_at, run_at;
	struct key_set runs; /* texts of the column run, if they are together */
	size_t run;          /* of the current row: its index there */
	size_t nruns;        /* in the end */
	uintmax_t skipped;
};

/*
 * Steps to the next row with the place, a measure and a weight. False at the
 * end, after a warning about skipped rows; dies if all rows lack a column, if
 * the input is bad, or if measures have different units.
 */
bool row_reader_next(struct row_reader *r, struct table *t);

/* Adds "5 runs" to the subtitle if rows of several runs were together. */
void say_runs(struct picture *p, const struct row_reader *r);

/*
 * The number in column `col` of the current row, a bandwidth in the unit of
 * rate_unit; row_size: an integer, 0 or more. Both die if it is another text,
 * or so large that gnuplot cannot draw it.
 */
double row_value(const struct table *t, size_t col);
double row_size(const struct table *t, size_t col);

/* The same by column name; NAN if the column or its text is missing. */
double row_number(const struct table *t, const char *name);

/* Adds the value of the current row, with its weight, to distribution `of`. */
void row_sample(const struct table *t, const struct row_reader *r,
                struct tallies *s, size_t of);

/* The percentile of a finished distribution that is not empty. */
double percentile(const struct histogram *d, uint64_t pct);

/* Whether the current row has a text in the column called `name`. */
bool row_has(const struct table *t, const char *name);

/*
 * The index in `keys` of the current row's key, made of those key columns that
 * are in a list, "kind,host", or of those that are not.
 */
size_t row_key(struct key_set *keys, const struct table *t, bool in,
               const char *columns);

/* A curve for each key; that of a key, and of the current row. */
struct curves {
	struct key_set keys;
	struct curve *of;
	size_t room, last;
};
struct curve *curve_of(struct curves *c, size_t key);
struct curve *row_curve(struct curves *c, const struct row_reader *r);

/* Samples ------------------------------------------------------------------ */

/*
 * Reads all rows: adds each measure, with its weight, to the group of its key.
 * Dies and warns as row_reader_next does.
 */
void read_groups(struct groups *g, struct row_reader *r, struct table *t);

#endif
