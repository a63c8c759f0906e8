/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cells and columns of a table, and messages about them. */
#include "common/base/debug.h"
#include "common/base/nearest.h"
#include "common/base/number.h"
#include "common/stream/table.h"

#include <ctype.h>

/* Cells -------------------------------------------------------------------- */

double
table_number(const struct table *t, size_t col)
{
	double value;
	const char *why = parse_number(t->field[col], &value);

	if (why)
		table_refuse(t, col, why);
	return value;
}

uint64_t
table_weight(const struct table *t, ptrdiff_t col)
{
	const char *text = table_text(t, col);
	uint64_t weight = 1;
	const char *why = *text ? parse_integer(text, &weight) : NULL;

	if (why)
		table_refuse(t, (size_t)col, why);
	return weight;
}

void
table_refuse(const struct table *t, size_t col, const char *why)
{
	const char *text = t->field[col];
	const char *unit = text + strspn(text, "+-.0123456789 ");

	if (!strcmp(why, "not a number") &&
	    isdigit((unsigned char)text[*text == '-']) &&
	    isalpha((unsigned char)*unit) && !strpbrk(unit, "0123456789"))
		why = "a number stands without its unit, as in 27.1: the name "
		      "of the column has it, as in latency_us";
	table_die(t, col, "'%s': %s", text, why);
}

/* Columns of a table ------------------------------------------------------- */

ptrdiff_t
table_find_given(const struct table *t, const char *name)
{
	ptrdiff_t col = table_find(t, name);

	return col < 0 ? table_find(t, foreign_name(name)) : col;
}

char *
list_columns(const struct table *t, bool (*pick)(const char *))
{
	struct composed list;
	FILE *to = compose_begin(&list);
	const char *before = "";

	for (size_t i = 0; i < t->ncols; i++) {
		if (pick && !pick(t->name[i]))
			continue;
		fprintf(to, "%s%s", before, t->name[i]);
		if (strcmp(table_heading(t, i), t->name[i]) != 0)
			fprintf(to, " (from %s)", table_heading(t, i));
		before = ", ";
	}
	return compose_end(&list, to);
}

void
no_column(const struct table *t, const char *name, const char *hint)
{
	const char *writer = /* which the user's pipe may lack */
	    !strncmp(name, "median_", 7) || !strncmp(name, "min_", 4)
	        ? ", which pcb-stats writes"
	    : !strcmp(name, "diff_ns") || !strcmp(name, "other_ns")
	        ? ", which pcb-diff writes"
	    : !strcmp(name, "metric") ? ", which pcb-ddio writes"
	    : !strcmp(name, "model_ratio_pct")
	        ? ", which pcb-model --join writes"
	    : !strcmp(name, "what") ? ", which pcb-collect link writes"
	                            : "";

	die("%s: no column '%s'%s%s: there are %s", t->file, name, writer, hint,
	    list_columns(t, NULL));
}

void
need_given_column(const struct table *t, const char *name)
{
	struct nearest nearest = {.typed = name};

	if (table_find(t, name) >= 0)
		return;
	for (size_t i = 0; i < t->ncols; i++)
		nearest_offer(&nearest, t->name[i]);
	no_column(t, name, nearest_hint(&nearest));
}

size_t
need_column(const struct table *t, const char *name)
{
	ptrdiff_t col = table_find(t, name);

	if (col < 0)
		no_column(t, name, "");
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
