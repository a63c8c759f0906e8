/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads rows into the histograms of their groups. */
#include "stats/row_groups.h"

#include "common/stream/columns.h"
#include "stats/tally.h"

#include <stdlib.h>
#include <string.h>

/* With more groups, single samples deserve a warning. */
#define MANY_GROUPS 1000

/*
 * State while rows are read. Rows of another group than the row before are
 * queued and looked up together, when the queue is full or the last one's group
 * is needed.
 */
struct reading {
	struct table *table;
	struct columns *columns;
	struct groups *groups;
	size_t group;        /* of the row before, and of this one */
	size_t same_columns; /* number of leading columns in common */
	struct tally *tally;

	struct key key[KEY_SET_AT_ONCE];
	struct tallied waiting[KEY_SET_AT_ONCE];
	size_t nwaiting;
};

/* The row before has no group yet. */
#define NO_GROUP SIZE_MAX

static void
update_columns(struct reading *r)
{
	struct columns *c = r->columns;

	columns_update(c, r->table);
	table_watch(r->table,
	            c->count_col < 0 ? (size_t)c->measure_col : SIZE_MAX);
	r->same_columns = NO_GROUP;
}

static void
add(const struct reading *r, const struct tallied *samples)
{
	if (samples->count &&
	    !histogram_add(&r->groups->histogram[samples->group],
	                   samples->value, samples->count))
		table_die(r->table, (size_t)r->columns->measure_col,
		          "more samples than can be counted");
}

/* Adds the queued rows; sets the group of the last one. */
static void
add_waiting(struct reading *r)
{
	size_t group[KEY_SET_AT_ONCE];

	if (!r->nwaiting)
		return;
	groups_find_all(r->groups, r->key, r->nwaiting, group);
	for (size_t i = 0; i < r->nwaiting; i++) {
		r->waiting[i].group = group[i];
		add(r, &r->waiting[i]);
	}
	r->group = group[r->nwaiting - 1];
	r->nwaiting = 0;
}

static void
wait_for_group(struct reading *r, const struct tallied *sample)
{
	const struct columns *c = r->columns;
	struct key *key = &r->key[r->nwaiting];

	key->length = 0;
	for (size_t i = 0; i < c->nkey; i++)
		key_append(key, c->key[i], r->table->field[c->key[i]]);
	r->waiting[r->nwaiting++] = *sample;
	if (r->nwaiting == KEY_SET_AT_ONCE)
		add_waiting(r);
}

static bool
same_group(const struct reading *r)
{
	return r->table->steady >= r->same_columns;
}

/* The common case: the group of the row before and a known text. */
static bool
count_row(struct reading *r)
{
	return !r->nwaiting && same_group(r) &&
	       tally_add(r->tally, r->group, r->table->word);
}

static void
take_row(struct reading *r)
{
	const struct table *t = r->table;
	const struct columns *c = r->columns;
	struct tallied sample = {
	    .value = table_number(t, (size_t)c->measure_col),
	};

	sample.count = table_weight(t, c->count_col);
	if (!sample.count) {
		r->same_columns = NO_GROUP;
		return;
	}
	if (same_group(r)) {
		add_waiting(r);
		sample.group = r->group;
		sample = tally_learn(r->tally, &sample, t->word);
		add(r, &sample);
	} else {
		wait_for_group(r, &sample);
	}
	r->same_columns = c->nkey ? c->key[c->nkey - 1] + 1 : 0;
}

/* Counts the distinct texts of each column of c->key. */
static void
count_values(const struct columns *c, const struct groups *g, size_t values[])
{
	struct key_set *texts = xcalloc(c->nkey, sizeof *texts);
	struct key text = {0};

	for (size_t k = 0; k < g->keys.n; k++) {
		size_t at = 0;

		for (size_t i = 0; i < c->nkey; i++) {
			text.length = 0;
			key_append(&text, 0,
			           key_text(&g->keys.key[k], c->key[i], &at));
			key_set_intern(&texts[i], &text);
		}
	}
	for (size_t i = 0; i < c->nkey; i++) {
		values[i] = texts[i].n;
		key_set_free(&texts[i]);
	}
	free(text.bytes);
	free(texts);
}

/*
 * Groups of single samples have a key column too many; but a run has only one
 * bandwidth.
 */
static void
warn_of_singles(const struct table *t, const struct columns *c,
                const struct groups *g)
{
	size_t singles = 0, most = 0;
	size_t *values;

	for (size_t k = 0; k < g->keys.n; k++)
		singles += g->histogram[k].n == 1;
	if (g->keys.n <= MANY_GROUPS || singles <= g->keys.n / 2 ||
	    !strcmp(c->measure, "bandwidth_gbit_s"))
		return;
	values = xcalloc(c->nkey, sizeof *values);
	count_values(c, g, values);
	for (size_t i = 1; i < c->nkey; i++) {
		if (values[i] > values[most])
			most = i;
	}
	warn("%zu of %zu groups have only one sample; '%s' has %zu values: "
	     "--pool pools over a column",
	     singles, g->keys.n, t->name[c->key[most]], values[most]);
	free(values);
}

void
read_samples(struct table *t, struct columns *c, struct groups *g)
{
	static struct tally tally; /* too large for a small stack */
	struct reading r = {
	    .table = t,
	    .columns = c,
	    .groups = g,
	    .same_columns = NO_GROUP,
	    .tally = &tally,
	};
	uintmax_t skipped = 0;

	while (table_next(t)) {
		if (count_row(&r))
			continue;
		if (c->known < t->ncols)
			update_columns(&r);
		if (c->measure_col >= 0 && *t->field[c->measure_col]) {
			take_row(&r);
		} else {
			r.same_columns = NO_GROUP;
			trace_skipped(t, c->measure);
			skipped++;
		}
	}
	columns_update(c, t);
	columns_check(c, t);
	add_waiting(&r);
	for (size_t i = 0; i < KEY_SET_AT_ONCE; i++)
		free(r.key[i].bytes);
	for (size_t i = 0; i < TALLY_TEXTS; i++)
		add(&r, &tally.entry[i]);
	for (size_t i = 0; i < g->keys.n; i++)
		histogram_finish(&g->histogram[i]);
	warn_of_singles(t, c, g);
	warn_skipped(skipped, c->measure);
}
