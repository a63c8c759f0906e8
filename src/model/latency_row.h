/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the point of a measured latency. */
#ifndef PCB_MODEL_LATENCY_ROW_H
#define PCB_MODEL_LATENCY_ROW_H

#include "common/stream/table.h"
#include "model/latency_rows.h"

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
                             const struct latency_options *options,
                             const struct link_options *link,
                             const struct sim_params *host);

#endif
