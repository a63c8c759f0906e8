/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows that are passed on with columns of the model behind them. */
#ifndef PCB_MODEL_PASSTHROUGH_ROWS_H
#define PCB_MODEL_PASSTHROUGH_ROWS_H

#include "common/stream/table.h"
#include "common/stream/writer.h"

/* Zero-initialise; release with passthrough_free. */
struct passthrough {
	struct passthrough_row {
		size_t at; /* of its texts, one after the other with NULs */
		size_t ncols;
	} * row;
	size_t n, max;
	char *text;
	size_t used, size;
	const char *const *added; /* names of the columns behind them */
	size_t nadded;
};

/* Keeps the current row of the table; its index. */
size_t passthrough_add(struct passthrough *k, const struct table *t);

/*
 * Writes the header: the table's columns, but for older ones called as those
 * that are added, and then these. The names must outlive `k`.
 */
void passthrough_begin(struct passthrough *k, struct out *o,
                       const struct table *t, const char *const added[],
                       size_t nadded);

/* Writes the cells of a row that stand before those that are added. */
void passthrough_write(const struct passthrough *k, struct out *o,
                       const struct table *t, size_t index);

void passthrough_free(struct passthrough *k);

#endif
