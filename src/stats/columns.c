/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses the column to summarise, and those to group by. */
#include "stats/stats.h"

#include "common/base/number.h"

static bool
is_wanted(const struct columns *c, const char *name)
{
	return find_word(name, (const char *const *)c->by, c->nby) < c->nby;
}

const char *
columns_parse_by(struct columns *c, const char *list)
{
	free(c->by);
	c->by = list_split(list);
	c->nby = 0;
	for (; *list && c->by[c->nby]; c->nby++) {
		if (!*c->by[c->nby] || is_wanted(c, c->by[c->nby]))
			return "an empty name, or a repeated one";
	}
	return NULL;
}

static bool
has_unit(const char *name)
{
	return *unit_of(name);
}

/* The column to summarise without -c; NULL: there is none yet. */
static const char *
choose_measure(struct columns *c, const struct table *t)
{
	static const char *const usual[] = {"latency_ns", "bandwidth_gbit_s",
	                                    "value"};
	char *all;

	for (size_t i = 0; i < ARRAY_LEN(usual); i++) {
		if (table_find(t, usual[i]) >= 0)
			return usual[i];
	}
	for (size_t i = c->known; i < t->ncols; i++) {
		if (has_unit(t->name[i]) && !c->nunits++)
			c->with_unit = t->name[i];
	}
	if (c->nunits < 2)
		return c->with_unit;
	for (size_t i = 0; i < t->ncols; i++) {
		if (!strncmp(t->name[i], "median_", strlen("median_")))
			die("%s: these are statistics, and pcb-stats needs "
			    "samples; -c %s summarises the medians",
			    t->file, t->name[i]);
	}
	all = list_columns(t, has_unit);
	warn("%s: several columns to summarise: choose one with -c: %s",
	     t->file, all);
	free(all);
	exit(STATUS_TROUBLE);
}

/*
 * The table's name of a column given by index, from 1, or by its name in a
 * foreign file.
 */
static const char *
name_of(const struct table *t, const char *column)
{
	ptrdiff_t col = table_find_given(t, column);
	uint64_t n;

	if (col >= 0)
		return t->name[col];
	if (!parse_integer(column, &n) && n && n + t->name_files <= t->ncols)
		return t->name[n - 1 + t->name_files];
	return column;
}

/*
 * The column that rows without the measure may have, if nothing was chosen: of
 * imported rows, latencies are averages or medians.
 */
static ptrdiff_t
choose_other(const struct table *t, const char *measure)
{
	static const char *const times[] = {"latency_ns", "mean_ns",
	                                    "median_ns"};
	ptrdiff_t col = -1;

	if (!measure || (strcmp(measure, "bandwidth_gbit_s") != 0 &&
	                 strcmp(measure, "latency_ns") != 0))
		return -1;
	if (*measure == 'l')
		return table_find(t, "bandwidth_gbit_s");
	for (size_t i = 0; i < ARRAY_LEN(times) && col < 0; i++)
		col = table_find(t, times[i]);
	return col;
}

static void
want(struct columns *c, ptrdiff_t col)
{
	if (col >= 0)
		c->wanted[col] = true;
}

void
columns_update(struct columns *c, struct table *t)
{
	const char *measure =
	    c->given ? name_of(t, c->given) : choose_measure(c, t);

	if (c->measure && c->measure_col >= 0 &&
	    strcmp(c->measure, measure) != 0)
		die("%s: after %s another part has %s: choose one with -c by "
		    "its name",
		    t->file, c->measure, measure);
	c->measure = measure;
	c->measure_col = measure ? table_find(t, measure) : -1;
	c->other_col = c->given || c->alone ? -1 : choose_other(t, measure);
	c->other = c->other_col < 0 ? NULL : t->name[c->other_col];
	c->count_col =
	    measure && !strcmp(measure, "count") ? -1 : table_find(t, "count");
	c->key = xreallocarray(c->key, t->ncols, sizeof *c->key);
	c->wanted = xreallocarray(c->wanted, t->ncols, sizeof *c->wanted);
	for (; c->known < t->ncols; c->known++) {
		const char *name = t->name[c->known];
		bool wanted = is_wanted(c, name);

		if (c->by_identity)
			wanted = !wanted && is_identity(name);
		c->wanted[c->known] =
		    (!measure || strcmp(name, measure) != 0) &&
		    (wanted || !strcmp(name, "kind"));
		if (c->wanted[c->known])
			c->key[c->nkey++] = c->known;
	}
	want(c, c->measure_col);
	want(c, c->other_col);
	want(c, c->count_col);
	table_want(t, c->wanted, t->ncols);
}

void
columns_check(const struct columns *c, const struct table *t)
{
	double number;

	if (!c->measure) {
		char *all = list_columns(t, NULL);

		warn("%s: no column with a unit, such as latency_ns: choose "
		     "one with -c: %s",
		     t->file, all);
		free(all);
		exit(STATUS_TROUBLE);
	}
	need_given_column(t, c->measure);
	/* Files whose fields are all numbers have the columns 1, 2 and so on.
	 */
	if (c->given && strcmp(c->given, c->measure) != 0 &&
	    !parse_number(c->measure, &number))
		warn("the first row was taken for names of columns, and %s is "
		     "one: does the file lack a header?",
		     c->measure);
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
	free(c->by);
	free(c->key);
	free(c->wanted);
	*c = (struct columns){0};
}
