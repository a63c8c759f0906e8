/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects the runs of each condition. */
#include "diff/conditions.h"

#include "common/stream/columns.h"
#include "diff/rank_test.h"
#include "diff/summarise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In keys, the condition comes after all possible columns. */
#define CONDITION_COL (UINT32_MAX / 2)

/* The current row's cell in column `place` of --by. */
static const char *
cell_of(const struct conditions *d, size_t place)
{
	const struct table *t = d->table;
	const struct diff_columns *c = d->columns;

	return diff_columns_by_file(c)
	           ? operand_of(t)
	           : table_text(t, table_find(t, c->by[place]));
}

static void
append_condition(const struct conditions *d, struct key *key)
{
	for (size_t i = 0; i < d->columns->nby; i++)
		key_append(key, CONDITION_COL + i, cell_of(d, i));
}

/* The index of the row's condition, added if it is new. */
static size_t
find_condition(struct conditions *d)
{
	struct key key = {0};
	size_t number;

	append_condition(d, &key);
	number = key_set_intern(&d->names, &key);
	free(key.bytes);
	d->label =
	    key_set_grow(&d->names, d->label, &d->label_room, sizeof *d->label);
	if (d->label[number])
		return number;
	for (size_t i = 0; i < d->columns->nby; i++)
		xappend(&d->label[number], ",", "%s",
		        condition_part(d, number, i));
	return number;
}

const char *
condition_name(const struct conditions *d, size_t condition)
{
	return d->label[condition];
}

const char *
condition_part(const struct conditions *d, size_t condition, size_t place)
{
	return key_find(&d->names.key[condition], CONDITION_COL + place);
}

char *
conditions_by(const struct conditions *d)
{
	char *text = NULL;

	for (size_t i = 0; i < d->columns->nby; i++)
		xappend(&text, ",", "%s", d->columns->by[i]);
	return text;
}

static struct group *
find_group(struct conditions *d, const struct key *key)
{
	size_t number = key_set_intern(&d->keys, key);

	d->group = key_set_grow(&d->keys, d->group, &d->room, sizeof *d->group);
	return &d->group[number];
}

static struct side *
find_side(struct group *g, size_t condition)
{
	if (condition >= g->nsides) {
		g->side =
		    xreallocarray(g->side, condition + 1, sizeof *g->side);
		while (g->nsides <= condition)
			g->side[g->nsides++] = (struct side){0};
	}
	return &g->side[condition];
}

static void
set_run(struct run_values *by_run, size_t number, double value)
{
	while (by_run->n <= number)
		run_values_add(by_run, NAN);
	by_run->x[number] = value;
}

/* Dies if the run already has a row. */
static void
check_new(const struct conditions *d, struct key_set *seen)
{
	const struct table *t = d->table;
	const struct diff_columns *c = d->columns;
	size_t before = seen->n;
	struct key key = {0};

	row_key(&key, t, c, ROLE_GROUP | ROLE_RUN, NULL);
	append_condition(d, &key);
	if (key_set_intern(seen, &key) != before)
		die_repeated(t, c);
	free(key.bytes);
}

static void
take_row(struct conditions *d, double value)
{
	const struct table *t = d->table;
	const struct diff_columns *c = d->columns;
	size_t number = find_condition(d);
	struct key key = {0};
	struct side *side;

	row_key(&key, t, c, ROLE_GROUP, NULL);
	side = find_side(find_group(d, &key), number);
	run_values_add(&side->runs, value);
	if (d->paired) {
		row_key(&key, t, c, ROLE_RUN, NULL);
		set_run(&side->by_run, key_set_intern(&d->runs, &key), value);
	}
	side->tick_ns = fmax(side->tick_ns, table_tick_ns(t));
	free(key.bytes);
}

static void
check_conditions(struct conditions *d)
{
	const char *file = d->table->file;
	char *by = conditions_by(d);

	if (!d->names.n)
		die("%s: no row has a value in %s", file, by);
	for (size_t i = 0; d->base && i < d->names.n; i++) {
		if (!strcmp(condition_name(d, i), d->base))
			d->base_number = i;
	}
	if (d->base && strcmp(condition_name(d, d->base_number), d->base) != 0)
		die("%s: no row has %s=%s", file, by, d->base);
	if (d->names.n == 1)
		die("%s: all rows have %s=%s: nothing to compare", file, by,
		    condition_name(d, 0));
	free(by);
}

static void
sort_sides(struct conditions *d)
{
	for (size_t i = 0; i < d->keys.n; i++) {
		struct group *g = &d->group[i];

		for (size_t k = 0; k < g->nsides; k++)
			runs_sort(g->side[k].runs.x, g->side[k].runs.n);
	}
}

static bool
has_condition(const struct conditions *d)
{
	for (size_t i = 0; i < d->columns->nby; i++) {
		if (!*cell_of(d, i))
			return false;
	}
	return true;
}

void
read_conditions(struct conditions *d, struct table *t, struct diff_columns *c)
{
	struct key_set seen = {0};
	uintmax_t skipped = 0;
	char *by;
	double value;

	d->table = t;
	d->columns = c;
	by = conditions_by(d);
	while (next_value(t, c, &value)) {
		if (!has_condition(d)) {
			trace_skipped(t, by);
			skipped++;
			continue;
		}
		check_new(d, &seen);
		take_row(d, value);
	}
	key_set_free(&seen);
	warn_skipped(skipped, by);
	free(by);
	if (t->rows)
		check_conditions(d);
	sort_sides(d);
}

void
conditions_free(struct conditions *d)
{
	for (size_t i = 0; i < d->keys.n; i++) {
		for (size_t k = 0; k < d->group[i].nsides; k++) {
			free(d->group[i].side[k].runs.x);
			free(d->group[i].side[k].by_run.x);
		}
		free(d->group[i].side);
	}
	free(d->group);
	for (size_t i = 0; i < d->names.n; i++)
		free(d->label[i]);
	free(d->label);
	key_set_free(&d->names);
	key_set_free(&d->keys);
	key_set_free(&d->runs);
	*d = (struct conditions){0};
}
