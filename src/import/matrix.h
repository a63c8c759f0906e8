/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Matrices in an output: a row of labels, then labelled rows. */
#ifndef PCB_IMPORT_MATRIX_H
#define PCB_IMPORT_MATRIX_H

#include "import/text.h"

#define MATRIX_LABEL_MAX 16

/* Zero-initialise: no matrix is open. */
struct matrix {
	size_t ncols; /* 0: no header read yet */
	char label[TEXT_WORDS][MATRIX_LABEL_MAX];
};

/* Takes the current line as header; words from index `skip` on are labels. */
void matrix_begin(struct text *t, struct matrix *m, size_t skip);

/*
 * Whether the current line is a row of the matrix; then calls cell() for each
 * value except "N/A". Dies if their number differs from the header's.
 */
bool matrix_row(struct text *t, const struct matrix *m,
                void (*cell)(struct text *t, const char *row,
                             const char *column, const char *value));

#endif
