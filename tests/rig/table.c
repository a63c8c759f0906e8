/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rig/table.h"
#include "rig/cmocka.h"

#include "common/stream/table.h"

static void
show(const char *text)
{
	for (; *text; text++) {
		if (*text == '\n')
			fputs("\\n", stdout);
		else if (*text == '\r')
			fputs("\\r", stdout);
		else
			putchar(*text);
	}
}

static void
show_all(const char *before, const char *const text[], size_t n)
{
	fputs(before, stdout);
	for (size_t i = 0; i < n; i++) {
		if (i)
			putchar('|');
		show(text[i]);
	}
	putchar('\n');
}

static void
show_keys(const char *before, const struct preamble *pre)
{
	for (size_t i = 0; i < pre->n; i++)
		printf("%s%s=%s\n", before, pre->entry[i].key,
		       pre->entry[i].value);
}

static bool
is_bad(const struct table *t, size_t *col)
{
	for (*col = 0; *col < t->ncols; ++*col) {
		if (!strcmp(t->field[*col], "bad"))
			return true;
	}
	return false;
}

#define SHORT 8

/* All columns but the changed one must have the text of the row before. */
static void
check_changed(const struct table *t, char before[4][SHORT])
{
	for (size_t i = 0; i < t->ncols && i < 4; i++) {
		if (t->changed != ANY_COLUMN && t->changed != i &&
		    strlen(t->field[i]) < SHORT &&
		    strcmp(t->field[i], before[i]) != 0)
			puts("changed");
		snprintf(before[i], SHORT, "%s", t->field[i]);
	}
}

void
show_table(char *const files[], size_t nfiles, bool slow)
{
	struct table *t = table_open(files, nfiles);
	char before[4][SHORT] = {""};
	uintmax_t rows = 0;
	size_t known = 0, col;

	t->slow = slow;
	while (table_next(t)) {
		check_changed(t, before);
		if (t->ncols > known)
			show_all("=", (const char *const *)t->name, t->ncols);
		known = t->ncols;
		show_all("", t->field, t->ncols);
		if (is_bad(t, &col))
			table_die(t, col, "'%s' is bad", t->field[col]);
		rows++;
	}
	if (t->ncols > known)
		show_all("=", (const char *const *)t->name, t->ncols);
	show_keys("#", &t->preamble);
	show_keys(".", &t->end);
	if (!t->complete)
		puts("cut");
	if (t->rows != rows)
		puts("wrong number of rows");
	table_close(t);
}

void
show_stdin(const void *slow)
{
	show_table(NULL, 0, *(const bool *)slow);
}

static void
assert_row(const struct row *row, enum feed feed, bool slow)
{
	struct ended e = in_child(show_stdin, &slow, row->in, feed);

	assert_ended(&e, row->status, row->out, row->err);
	ended_free(&e);
}

void
assert_rows(const struct row *row, size_t n)
{
	for (size_t i = 0; i < n; i++, row++) {
		for (enum feed feed = FEED_FILE; feed <= FEED_BYTES; feed++) {
			assert_row(row, feed, false);
			assert_row(row, feed, true);
		}
	}
}
