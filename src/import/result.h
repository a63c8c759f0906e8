/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows to write, held until all input has been checked. */
#ifndef PCB_IMPORT_RESULT_H
#define PCB_IMPORT_RESULT_H

#include "common/cli/labels.h"
#include "common/stream/key_set.h"
#include "common/stream/writer.h"

/*
 * Zero-initialise, set labels; release with result_free. Columns may be added
 * at any time: earlier rows are empty there. Those of labels come before the
 * first row. Rows are held in an unlinked file in TMPDIR.
 */
struct result {
	const struct labels *labels; /* override the cells of their columns */
	struct result_column {
		char *name;
		bool labelled;
		bool is_key;       /* and not `run` */
		char *text;        /* of the current row */
		size_t used, size; /* of its bytes */
	} * column;
	size_t ncols;
	struct key_set names; /* column names */
	FILE *file;           /* the rows, or NULL */
	uintmax_t rows;
};

/* The index of the column called `name`, added if new. */
size_t result_column(struct result *r, const char *name);

/*
 * Set a cell of the current row, in the column of that index or name, which is
 * added if new. It keeps its value in later rows until set again or cleared.
 * result_double takes finite numbers.
 */
void result_cell(struct result *r, size_t col, const char *text);
void result_text(struct result *r, const char *name, const char *text);
void result_u64(struct result *r, const char *name, uint64_t value);
void result_double(struct result *r, const char *name, double value);

/* Clears all cells of the current row. */
void result_clear(struct result *r);

/* Appends the current row. */
void result_end_row(struct result *r);

/* Writes header and rows; the caller calls out_finish. */
void result_write(struct result *r, struct out *o);

void result_free(struct result *r);

#endif
