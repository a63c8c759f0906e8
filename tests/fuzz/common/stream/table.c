/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader accepts or refuses any input, and keeps its contract. */
#include "fuzz/reader.h"

#include "common/base/number.h"
#include "common/stream/lines.h"

/* The last cell of each row. */
struct cells {
	uintmax_t n;
	uint64_t hash;
};

static void
add_cell(struct cells *c, const char *text, uint64_t word)
{
	must(!word || word == word_of(text));
	for (bool more = true; more; more = *text++)
		c->hash =
		    (c->hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	c->n++;
}

static void
look_at_cell(const struct table *t, void *data)
{
	size_t col = t->last == ANY_COLUMN ? t->ncols - 1 : t->last;

	add_cell(data, t->field[col], t->last == ANY_COLUMN ? 0 : t->word);
}

/* Wants no column, and steps over rows of which only those differ. */
static void
look_at_run(const struct table *t, void *data)
{
	static const bool none[RECORD_MAX];
	struct table *run = (struct table *)(uintptr_t)t;
	struct plain cell[3];
	size_t n;

	table_want(run, none, ARRAY_LEN(none));
	look_at_cell(t, data);
	while ((n = table_run(run, cell, ARRAY_LEN(cell)))) {
		for (size_t i = 0; i < n; i++)
			add_cell(data, cell[i].text, cell[i].word);
	}
}

/* The cells and missing numbers that a way to read finds; false if refused. */
static bool
read_cells(const uint8_t *bytes, size_t size, bool slow, struct cells *c,
           char missing[24])
{
	struct table *t;

	set_stdin(bytes, size);
	t = read_stdin(slow, slow ? look_at_cell : look_at_run, c);
	if (!t)
		return free_as_exit();
	must(t->rows == c->n);
	snprintf(missing, 24, "%s",
	         preamble_get(&t->end, "missing")
	             ? preamble_get(&t->end, "missing")
	             : "");
	table_close(t);
	return true;
}

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
	struct cells quick = {0}, slow = {0};
	char missing[2][24] = {"", ""};
	struct table *t;

	must(read_cells(bytes, size, false, &quick, missing[0]) ==
	     read_cells(bytes, size, true, &slow, missing[1]));
	must(quick.n == slow.n && quick.hash == slow.hash);
	must(!strcmp(missing[0], missing[1]));

	set_stdin(bytes, size);
	t = read_stdin(false, look_at_row, &seen);
	if (!t)
		return free_as_exit();
	must(t->rows == seen.rows && t->ncols >= seen.ncols && t->ncols);
	look_at_keys(&t->preamble);
	look_at_keys(&t->end);
	table_close(t);
	return 0;
}
