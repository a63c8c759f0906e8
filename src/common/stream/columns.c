/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds and lists the columns of a table, and reports missing ones. */
#include "common/stream/columns.h"

#include "common/base/debug.h"
#include "common/base/list.h"
#include "common/base/nearest.h"
#include "common/base/textbuf.h"

#include <stdlib.h>
#include <string.h>

char *
list_columns(const struct table *t, bool (*pick)(const char *), size_t *n)
{
	struct composed list;
	FILE *to = compose_begin(&list);
	size_t found = 0;

	for (size_t i = 0; i < t->ncols; i++) {
		if (!pick || pick(t->name[i]))
			fprintf(to, "%s%s", found++ ? ", " : "", t->name[i]);
	}
	if (n)
		*n = found;
	return compose_end(&list, to);
}

/* The program that writes this column, which the user's pipe may lack. */
static const char *
writer_of(const char *column)
{
	static const struct {
		const char *begin, *program;
	} writers[] = {
	    {"median_", "pcb-stats"},
	    {"min_", "pcb-stats"},
	    {"diff_ns", "pcb-diff"},
	    {"metric", "pcb-ddio"},
	};

	for (size_t i = 0; i < ARRAY_LEN(writers); i++) {
		const char *begin = writers[i].begin;

		if (!strncmp(column, begin, strlen(begin)))
			return writers[i].program;
	}
	return NULL;
}

static _Noreturn void
lack_column(const struct table *t, const char *name, const char *hint)
{
	const char *writer = writer_of(name);

	die("%s: no column '%s'%s%s%s%s: there are %s", t->file, name,
	    writer ? ", which " : "", writer ? writer : "",
	    writer ? " writes" : "", hint, list_columns(t, NULL, NULL));
}

void
no_column(const struct table *t, const char *name)
{
	lack_column(t, name, "");
}

void
need_given_column(const struct table *t, const char *name)
{
	struct nearest nearest = {.typed = name};

	if (table_find(t, name) >= 0)
		return;
	for (size_t i = 0; i < t->ncols; i++)
		nearest_offer(&nearest, t->name[i]);
	lack_column(t, name, nearest_hint(&nearest));
}

size_t
need_column(const struct table *t, const char *name)
{
	ptrdiff_t col = table_find(t, name);

	if (col < 0)
		no_column(t, name);
	return (size_t)col;
}

const char *
need_text(const struct table *t, const char *name)
{
	return t->field[need_column(t, name)];
}

const char *
optional_text(const struct table *t, const char *name)
{
	return table_text(t, table_find(t, name));
}

void
trace_skipped(const struct table *t, const char *what)
{
	debug(DEBUG_ROWS, "%s:%ju: skipped: it lacks %s", t->file, t->line,
	      what);
}

void
warn_skipped(uintmax_t rows, const char *what)
{
	if (rows)
		warn("%ju row%s without %s %s skipped", rows,
		     rows == 1 ? "" : "s", what, rows == 1 ? "was" : "were");
}
