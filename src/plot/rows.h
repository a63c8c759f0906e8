/* What the kinds of picture read from a row. */
#ifndef PCB_PLOT_ROWS_H
#define PCB_PLOT_ROWS_H

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

/* Warns about rows that had nothing under `name` and were skipped. */
void warn_skipped(uintmax_t skipped, const char *name);

#endif
