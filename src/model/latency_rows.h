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

/* Indices of columns; -1: missing. Zero-initialise. */
struct latency_columns {
	size_t known; /* columns examined so far */
	ptrdiff_t kind, bench, link, interface, size, offset, window, pattern;
	ptrdiff_t cache, node, iommu, page, median;
};

/* A row: the host with its settings, the point, the median. */
struct latency_row {
	struct sim_params params; /* texts belong to the host */
	struct latency_point point;
	double median_ps; /* NAN if the cell is empty */
};

/* Whether the current row is of lat_rd or lat_wrrd. Finds the columns. */
bool latency_row_is(struct latency_columns *c, const struct table *t);

/*
 * Reads such a row over the parameters of `host`. NULL, or why it has no model
 * (a constant). Dies if a cell is invalid, or size or median_ns is missing.
 */
const char *latency_row_read(struct latency_row *row,
                             const struct latency_columns *c,
                             const struct table *t,
                             const struct options *options,
                             const struct sim_params *host);

#endif
