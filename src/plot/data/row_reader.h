/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kinds of picture read from a row. */
#ifndef PCB_PLOT_DATA_ROW_READER_H
#define PCB_PLOT_DATA_ROW_READER_H

#include "common/stat/histogram.h"
#include "common/stream/key_set.h"
#include "common/stream/table.h"

#define MEASURES_MAX 8

/* Set the first four, the rest being zero; release with row_reader_free. */
struct row_reader {
	/*
	 * The number: the first of these, up to a NULL, that a row has; at
	 * most MEASURES_MAX.
	 */
	const char *const *measures;
	const char *place;   /* another column that rows need, or NULL */
	const char *axis;    /* one that does not tell curves apart, or NULL */
	const char *lacking; /* for a message: what rows are skipped without */

	/* Of the current row. */
	size_t col;       /* of the measure */
	uint64_t weight;  /* `count`, or 1 */
	struct key key;   /* the columns that tell curves apart */
	bool key_is_same; /* is known to be that of the row before */

	const char *measure; /* that of the first row; of none, the first */
	size_t *identity;    /* the columns of the key, ascending */
	size_t n;
	size_t known; /* columns looked at so far; of these, or -1: */
	ptrdiff_t measure_at[MEASURES_MAX], place_at, count_at;
	uintmax_t skipped;
};

/*
 * Steps to the next row that has the place, a measure and a weight. False at
 * the end: then it has warned of rows without, and died if all lack a column.
 * Dies on bad input, and where measures have different units.
 */
bool row_reader_next(struct row_reader *r, struct table *t);

void row_reader_free(struct row_reader *r);

/*
 * The number in column `col` of the current row; a size is an integer, 0 or
 * more. Both end the program for another text and for numbers so large that
 * gnuplot cannot draw them.
 */
double row_value(const struct table *t, size_t col);
double row_size(const struct table *t, size_t col);

/* The same by the column's name; NAN where it or its text is missing. */
double row_number(const struct table *t, const char *name);

/* Adds the number in column `col` so often. */
void row_sample(const struct table *t, size_t col, uint64_t weight,
                struct histogram *d);

/* Whether the table has such a column, and the current row a text there. */
bool row_has(const struct table *t, const char *name);

/*
 * The number that the current row's key has among `keys`, where it consists of
 * the columns of identity that `pick` says yes to.
 */
size_t row_key(struct key_set *keys, const struct table *t,
               bool (*pick)(const char *column));

#endif
