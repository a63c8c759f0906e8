/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Matrices in the output of a program: a row of labels, then labelled rows. */
#ifndef PCB_IMPORT_MATRIX_H
#define PCB_IMPORT_MATRIX_H

#include "import/text.h"

#define MATRIX_LABEL_MAX 16

/* Zero-initialise: no matrix is open. */
struct matrix {
	size_t ncols; /* 0: its header has not been read */
	char label[TEXT_WORDS][MATRIX_LABEL_MAX];
};

/* The current line is a header: its words from number `skip` on are labels. */
void matrix_begin(struct text *t, struct matrix *m, size_t skip);

/*
 * Whether the current line is a row of the matrix; then calls cell() for each
 * of its values but "N/A". Dies where their number is not that of the header.
 */
bool matrix_row(struct text *t, const struct matrix *m,
                void (*cell)(struct text *t, const char *row,
                             const char *column, const char *value));

#endif
