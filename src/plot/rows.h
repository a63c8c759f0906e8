/* What the kinds of picture read from a row. */
#ifndef PCB_PLOT_ROWS_H
#define PCB_PLOT_ROWS_H

#include "common/dist.h"
#include "common/keys.h"
#include "common/table.h"

/* The columns that tell curves apart. Zero-initialise; free(col). */
struct identity {
	const char *except; /* a column that is an axis instead, or NULL */
	size_t *col;        /* all other columns of identity, ascending */
	size_t n;
	size_t known; /* columns looked at so far */
};

/*
 * Makes `key` that of the table's current row; to be called for every row.
 * False if it is known to be the key of the row before.
 */
bool identity_key(struct identity *id, const struct table *t, struct key *key);

/*
 * The number in column `col` of the current row; a size is an integer, 0 or
 * more. Both end the program for another text and for numbers so large that
 * gnuplot cannot draw them.
 */
double row_value(const struct table *t, size_t col);
double row_size(const struct table *t, size_t col);

/* What the current row weighs: `count`, or 1. */
uint64_t row_weight(const struct table *t);

/* Adds the number in column `col` so often. */
void row_sample(const struct table *t, size_t col, uint64_t weight,
                struct dist *d);

/* Whether the table has such a column, and the current row a text there. */
bool row_has(const struct table *t, const char *name);

/*
 * The first of these columns, the list ending in NULL, that the current row
 * has, or NULL. *seen is NULL at first, and then the one found first; dies
 * where the two have different units.
 */
const char *row_measure(const struct table *t, const char *const list[],
                        const char **seen);

/* Dies if the table, read to its end, has none of these columns. */
void need_measure(const struct table *t, const char *const list[]);

#endif
