/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the reader accepts, the writer writes so that it reads back equal. */
#include "fuzz/reader.h"

#include "common/stream/writer.h"

#include <fcntl.h>

/* All cells of a table, as consecutive texts. */
struct cells {
	char *text;
	size_t size;
	FILE *f;
	size_t *ncols; /* per row: later parts may have more */
	size_t nrows;
};

static void
take_row(const struct table *t, void *data)
{
	struct cells *c = data;

	for (size_t i = 0; i < t->ncols; i++)
		fwrite(t->field[i], 1, strlen(t->field[i]) + 1, c->f);
	c->ncols = xreallocarray(c->ncols, c->nrows + 1, sizeof *c->ncols);
	c->ncols[c->nrows++] = t->ncols;
}

static struct table *
read_cells(struct cells *c)
{
	struct table *t;

	*c = (struct cells){0};
	c->f = open_memstream(&c->text, &c->size);
	if (!c->f)
		abort();
	t = read_stdin(false, take_row, c);
	fclose(c->f);
	return t;
}

static void
free_cells(struct cells *c)
{
	free(c->text);
	free(c->ncols);
}

/* Whether a row has the names of all columns: it is read back as a header. */
static bool
has_names(const struct table *t, const struct cells *c)
{
	const char *text = c->text;

	for (size_t row = 0; row < c->nrows; row++) {
		size_t same = 0;

		for (size_t i = 0; i < c->ncols[row]; i++) {
			same += !strcmp(text, t->name[i]);
			text += strlen(text) + 1;
		}
		if (same == t->ncols)
			return true;
	}
	return false;
}

/* Writes the table as a filter does that changes nothing. */
static void
write_cells(struct table *t, const struct cells *c, enum format format)
{
	struct out o = {.format = format, .preamble = &t->preamble};
	const char *text = c->text;

	out_begin(&o, (const char *const *)t->name, t->ncols);
	for (size_t row = 0; row < c->nrows; row++) {
		for (size_t i = 0; i < t->ncols; i++) {
			out_text(&o, i < c->ncols[row] ? text : "");
			if (i < c->ncols[row])
				text += strlen(text) + 1;
		}
	}
	out_finish(&o, t->complete, &t->end);
}

static void
must_be_equal(const struct table *a, const struct cells *x,
              const struct table *b, const struct cells *y)
{
	const char *p = x->text, *q = y->text;

	if (!b || a->ncols != b->ncols || a->rows != b->rows ||
	    a->complete != b->complete || a->preamble.n != b->preamble.n)
		abort();
	for (size_t i = 0; i < a->ncols; i++) {
		if (strcmp(a->name[i], b->name[i]) != 0)
			abort();
	}
	for (size_t i = 0; i < a->preamble.n; i++) {
		const struct preamble_entry *entry = &a->preamble.entry[i];
		const char *value = preamble_get(&b->preamble, entry->key);

		if (!value || strcmp(value, entry->value) != 0)
			abort();
	}
	for (size_t row = 0; row < x->nrows; row++) {
		for (size_t i = 0; i < a->ncols; i++) {
			const char *cell = i < x->ncols[row] ? p : "";

			if (strcmp(cell, q) != 0)
				abort();
			if (i < x->ncols[row])
				p += strlen(p) + 1;
			q += strlen(q) + 1;
		}
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct cells first, second;
	struct table *t, *again;

	set_stdin(bytes, size);
	t = read_cells(&first);
	if (!t) {
		free_cells(&first);
		return 0;
	}
	if (!freopen("/dev/null", "w", stdout))
		abort();
	write_cells(t, &first, FORMAT_JSON);
	write_cells(t, &first, FORMAT_TABLE);
	int written = memfd_create("output", MFD_CLOEXEC);
	if (written < 0 || dup2(written, STDOUT_FILENO) < 0)
		abort();
	write_cells(t, &first, FORMAT_CSV);
	if (lseek(written, 0, SEEK_SET) || dup2(written, STDIN_FILENO) < 0)
		abort();
	close(written);
	again = read_cells(&second);
	if (!has_names(t, &first))
		must_be_equal(t, &first, again, &second);
	table_close(t);
	table_close(again);
	free_cells(&first);
	free_cells(&second);
	return 0;
}
