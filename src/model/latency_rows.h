/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Latencies of a simulated host: at a sweep of points, or at measured ones. */
#ifndef PCB_MODEL_LATENCY_ROWS_H
#define PCB_MODEL_LATENCY_ROWS_H

#include "common/stream/table.h"
#include "model/latency.h"
#include "model/options.h"

/*
 * The host of the options, with their link if they name one. Ends the program
 * if it is impossible. Free with sim_params_free.
 */
void latency_host(const struct options *o, struct sim_params *params);

/* Columns of results that the model knows. */
enum row_column {
	COL_KIND,
	COL_BENCH,
	COL_LINK,
	COL_INTERFACE,
	COL_SIZE,
	COL_OFFSET,
	COL_WINDOW,
	COL_PATTERN,
	COL_CACHE,
	COL_NODE,
	COL_IOMMU,
	COL_PAGE,
	COL_MEDIAN_NS,
	COL_ACCOUNTING,
	COL_COMPLETER,
	COL_ACCESS,
	COL_STORE,
	COL_MEDIAN,
	COL_BANDWIDTH,
	NCOLUMNS
};

/* The current row, and the indices of these columns; -1: missing. */
struct row {
	const struct table *t;
	size_t known; /* columns examined so far; 0 at first */
	ptrdiff_t at[NCOLUMNS];
};

/* Finds the columns; call it for each row. */
void row_find(struct row *row);

/* The text of a cell, "" if it is missing. */
const char *row_text(const struct row *row, enum row_column column);

/* Parses the bytes in a cell, unless empty; dies of another text. */
void row_bytes(const struct row *row, enum row_column column, uint64_t *bytes);

/* End the program: the row's bench needs this; a cell is wrong, unless NULL. */
_Noreturn void row_needs(const struct row *row, const char *what);
void row_check(const struct row *row, enum row_column column, const char *why);

/* A latency: the host with its settings, the point, the median. */
struct latency_row {
	struct sim_params params; /* texts belong to the host */
	struct latency_point point;
	double median_ps; /* NAN if the cell is empty */
};

/*
 * Reads a row of lat_rd or lat_wrrd over the parameters of `host`. NULL, or why
 * it has no model (a constant). Dies if a cell is invalid, or size or median_ns
 * is missing.
 */
const char *latency_row_read(struct latency_row *latency, const struct row *row,
                             const struct options *options,
                             const struct sim_params *host);

#endif
