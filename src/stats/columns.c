/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses the key columns that group rows, and the measure. */
#include "stats/stats.h"

#include "common/base/number.h"
#include "common/cli/option_table.h"
#include "common/stream/columns.h"

#include <stdlib.h>
#include <string.h>

static bool
is_wanted(const struct columns *c, const char *name)
{
	for (size_t i = 0; i < c->nby; i++) {
		if (!strcmp(name, c->by[i]))
			return true;
	}
	return false;
}

static void
forget_by(struct columns *c)
{
	while (c->nby)
		free(c->by[--c->nby]);
}

static const char *
add_by(void *to, const char *name)
{
	struct columns *c = to;

	if (!*name || is_wanted(c, name))
		return "an empty name, or a repeated one";
	c->by = xreallocarray(c->by, c->nby + 1, sizeof *c->by);
	c->by[c->nby++] = xstrdup(name);
	return NULL;
}

const char *
columns_parse_by(struct columns *c, const char *list)
{
	forget_by(c);
	return *list ? option_each_word(list, c, add_by) : NULL;
}

static bool
has_unit(const char *name)
{
	return *unit_of(name);
}

/* The median column of pcb-stats output; NULL: the input has none. */
static const char *
find_median(const struct table *t)
{
	for (size_t i = 0; i < t->ncols; i++) {
		if (!strncmp(t->name[i], "median_", strlen("median_")))
			return t->name[i];
	}
	return NULL;
}

static const char *
choose_measure(const struct table *t)
{
	static const char *const usual[] = {"latency_ns", "bandwidth_gbit_s",
	                                    "value"};
	char *candidates;
	size_t n;

	for (size_t i = 0; i < ARRAY_LEN(usual); i++) {
		if (table_find(t, usual[i]) >= 0)
			return usual[i];
	}
	candidates = list_columns(t, has_unit, &n);
	if (!n)
		die("%s: no column with a unit, such as latency_ns: choose one "
		    "with -c: %s",
		    t->file, list_columns(t, NULL, NULL));
	if (n > 1 && find_median(t))
		die("%s: these are statistics, and pcb-stats needs samples; -c "
		    "%s summarises the medians",
		    t->file, find_median(t));
	if (n > 1)
		die("%s: several columns to summarise: choose one with -c: %s",
		    t->file, candidates);
	free(candidates);
	for (n = 0; !has_unit(t->name[n]); n++)
		;
	return t->name[n];
}

/*
 * The table's name of a column given by index, from 1, or by its name in a
 * foreign file.
 */
static const char *
name_of(const struct table *t, const char *column)
{
	ptrdiff_t renamed;
	uint64_t n;

	if (table_find(t, column) >= 0)
		return column;
	if (!parse_integer(column, &n) && n && n <= t->ncols)
		return t->name[n - 1];
	renamed = table_find(t, foreign_name(column));
	return renamed < 0 ? column : t->name[renamed];
}

static bool
is_key(const struct columns *c, const char *name)
{
	if (!strcmp(name, c->measure))
		return false;
	if (!strcmp(name, "kind"))
		return true;
	if (c->by_identity)
		return is_identity(name) && !is_wanted(c, name);
	return is_wanted(c, name);
}

void
columns_update(struct columns *c, const struct table *t)
{
	if (!c->measure)
		c->measure = choose_measure(t);
	else
		c->measure = name_of(t, c->measure);
	c->measure_col = table_find(t, c->measure);
	c->count_col =
	    strcmp(c->measure, "count") != 0 ? table_find(t, "count") : -1;
	c->key = xreallocarray(c->key, t->ncols, sizeof *c->key);
	for (; c->known < t->ncols; c->known++) {
		if (is_key(c, t->name[c->known]))
			c->key[c->nkey++] = c->known;
	}
}

void
columns_check(const struct columns *c, const struct table *t)
{
	need_given_column(t, c->measure);
	for (size_t i = 0; i < c->nby; i++) {
		const char *name = c->by[i];

		need_given_column(t, name);
		if (!strcmp(name, c->measure))
			die("%s: the value column cannot be %s", name,
			    c->by_identity ? "pooled over" : "grouped by");
		if (c->by_identity && !is_identity(name))
			die("%s: not a key column: nothing to pool over", name);
		if (!strcmp(name, "count"))
			die("count: a weight is not a key column");
	}
}

void
columns_free(struct columns *c)
{
	forget_by(c);
	free(c->by);
	free(c->key);
	*c = (struct columns){0};
}
