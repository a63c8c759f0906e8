/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader accepts or refuses any input, and keeps its contract. */
#include "fuzz/reader.h"

#include "common/stream/lines.h"

struct seen {
	uintmax_t rows, line;
	size_t ncols;
};

static void
look_at_row(const struct table *t, void *data)
{
	struct seen *seen = data;

	must(t->rows == ++seen->rows);
	must(t->line > seen->line);
	must(t->ncols >= seen->ncols);
	seen->line = t->line;
	seen->ncols = t->ncols;
	for (size_t i = 0; i < t->ncols; i++) {
		must(table_find(t, t->name[i]) == (ptrdiff_t)i);
		must(strlen(t->field[i]) < RECORD_MAX);
	}
}

static void
look_at_keys(const struct preamble *pre)
{
	for (size_t i = 0; i < pre->n; i++) {
		must(preamble_get(pre, pre->entry[i].key) ==
		     pre->entry[i].value);
		must(!strpbrk(pre->entry[i].value, "\n\r\t\x1b"));
		must(!strchr(pre->entry[i].key, '\n'));
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct seen seen = {0};
	struct table *t;

	set_stdin(bytes, size);
	t = read_stdin(false, look_at_row, &seen);
	if (!t)
		return 0;
	must(t->rows == seen.rows && t->ncols >= seen.ncols && t->ncols);
	look_at_keys(&t->preamble);
	look_at_keys(&t->end);
	table_close(t);
	return 0;
}
