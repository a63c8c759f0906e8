/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Passes rows through, with columns of the model appended. */
#ifndef PCB_MODEL_PASSTHROUGH_ROWS_H
#define PCB_MODEL_PASSTHROUGH_ROWS_H

#include "common/stream/table.h"
#include "common/stream/writer.h"

/* Zero-initialise; release with passthrough_free. */
struct passthrough {
	struct passthrough_row {
		size_t at; /* offset of its NUL-terminated texts */
		size_t ncols;
	} * row;
	size_t n, max;
	char *text;
	size_t used, size;
	const char *const *added; /* names of appended columns */
	size_t nadded;
};

/* Stores the current row of the table; returns its index. */
size_t passthrough_add(struct passthrough *k, const struct table *t);

/*
 * Writes the header: the table's columns, except those with the name of an
 * added one, then the added ones. The names must outlive `k`.
 */
void passthrough_begin(struct passthrough *k, struct out *o,
                       const struct table *t, const char *const added[],
                       size_t nadded);

/* Writes a row's cells before the added ones. */
void passthrough_write(const struct passthrough *k, struct out *o,
                       const struct table *t, size_t index);

void passthrough_free(struct passthrough *k);

#endif
