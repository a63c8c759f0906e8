/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "diff/conditions.h"

#include "common/stream/columns.h"
#include "diff/rank_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In keys the condition stands behind all columns that may yet come. */
#define CONDITION_COL UINT32_MAX

/* The number of the condition of this name, added where it is new. */
static size_t
find_condition(struct conditions *d, const char *name)
{
	struct key key = {0};
	size_t number;

	key_append(&key, CONDITION_COL, name);
	number = key_set_intern(&d->names, &key);
	free(key.bytes);
	return number;
}

const char *
condition_name(const struct conditions *d, size_t condition)
{
	return key_find(&d->names.key[condition], CONDITION_COL);
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
set_run(struct values *by_run, size_t number, double value)
{
	while (by_run->n <= number)
		values_add(by_run, NAN);
	by_run->x[number] = value;
}

/* Dies of a second row of the same run. */
static void
check_new(const struct conditions *d, struct key_set *seen,
          const char *condition)
{
	const struct table *t = d->table;
	const struct columns *c = d->columns;
	size_t before = seen->n;
	struct key key = {0};

	row_key(&key, t, c, ROLE_GROUP | ROLE_RUN, NULL);
	key_append(&key, CONDITION_COL, condition);
	if (key_set_intern(seen, &key) != before)
		die_repeated(t, c);
	free(key.bytes);
}

static void
take_row(struct conditions *d, const char *condition, double value)
{
	const struct table *t = d->table;
	const struct columns *c = d->columns;
	size_t number = find_condition(d, condition);
	struct key key = {0};
	struct side *side;

	row_key(&key, t, c, ROLE_GROUP, NULL);
	side = find_side(find_group(d, &key), number);
	values_add(&side->runs, value);
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
	const struct table *t = d->table;
	const struct columns *c = d->columns;

	if (!d->names.n)
		die("%s: no row has a value in %s", t->file, c->by);
	for (size_t i = 0; d->base && i < d->names.n; i++) {
		if (!strcmp(condition_name(d, i), d->base))
			d->base_number = i;
	}
	if (d->base && strcmp(condition_name(d, d->base_number), d->base) != 0)
		die("%s: no row has %s=%s", t->file, c->by, d->base);
	if (d->names.n == 1)
		die("%s: all rows have %s=%s: nothing to compare", t->file,
		    c->by, condition_name(d, 0));
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

void
read_conditions(struct conditions *d, struct table *t, struct columns *c)
{
	struct key_set seen = {0};
	uintmax_t skipped = 0;
	double value;

	d->table = t;
	d->columns = c;
	while (next_value(t, c, &value)) {
		const char *condition =
		    columns_by_file(c) ? t->file
		                       : table_text(t, table_find(t, c->by));

		if (!*condition) {
			skipped++;
			continue;
		}
		check_new(d, &seen, condition);
		take_row(d, condition, value);
	}
	key_set_free(&seen);
	warn_skipped(skipped, c->by);
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
	key_set_free(&d->names);
	key_set_free(&d->keys);
	key_set_free(&d->runs);
	*d = (struct conditions){0};
}
