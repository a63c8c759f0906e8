/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads matrices. */
#include "import/matrix.h"

#include "common/base/number.h"

#include <string.h>

void
matrix_begin(struct text *t, struct matrix *m, size_t skip)
{
	m->ncols = 0;
	for (size_t i = skip; i < t->nwords; i++) {
		size_t length = strlen(t->word[i]);

		if (length >= MATRIX_LABEL_MAX)
			text_die(t, "'%s': not the label of a column",
			         t->word[i]);
		memcpy(m->label[m->ncols++], t->word[i], length + 1);
	}
}

bool
matrix_row(struct text *t, const struct matrix *m,
           void (*cell)(struct text *t, const char *row, const char *column,
                        const char *value))
{
	uint64_t unused;

	if (!m->ncols || parse_integer(t->word[0], &unused))
		return false;
	if (t->nwords != m->ncols + 1)
		text_die(t, "%zu values where the header has %zu columns",
		         t->nwords - 1, m->ncols);
	for (size_t i = 0; i < m->ncols; i++) {
		if (strcmp(t->word[i + 1], "N/A") != 0)
			cell(t, t->word[0], m->label[i], t->word[i + 1]);
	}
	return true;
}
