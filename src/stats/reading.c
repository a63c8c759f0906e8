/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/reading.h"

#include "common/base/number.h"
#include "common/stream/columns.h"

#include <stdlib.h>

/* The row before has no group yet. */
#define NO_GROUP SIZE_MAX

void
reading_begin(struct reading *r)
{
	r->same_columns = NO_GROUP;
}

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
take_sample(struct reading *r, struct tallied sample)
{
	const struct columns *c = r->columns;

	if (same_group(r)) {
		add_waiting(r);
		sample.group = r->group;
		sample = tally_learn(r->tally, &sample, r->table->word);
		add(r, &sample);
	} else {
		wait_for_group(r, &sample);
	}
	r->same_columns = c->nkey ? c->key[c->nkey - 1] + 1 : 0;
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
	if (sample.count)
		take_sample(r, sample);
	else
		r->same_columns = NO_GROUP;
}

static void
skip_row(struct reading *r)
{
	r->same_columns = NO_GROUP;
	r->skipped++;
}

void
reading_take_rows(struct reading *r)
{
	const struct table *t = r->table;
	struct columns *c = r->columns;

	while (table_next(r->table)) {
		if (count_row(r))
			continue;
		if (c->known < t->ncols)
			update_columns(r);
		if (c->measure_col >= 0 && *t->field[c->measure_col]) {
			take_row(r);
		} else {
			trace_skipped(t, c->measure);
			skip_row(r);
		}
	}
}

void
reading_take_plain_rows(struct reading *r)
{
	const char *const *measure = &r->table->field[r->columns->measure_col];
	struct tallied sample = {.count = 1};

	while (table_next_plain(r->table)) {
		if (count_row(r))
			continue;
		if (!**measure) {
			skip_row(r);
		} else if (!parse_number(*measure, &sample.value)) {
			take_sample(r, sample);
		} else {
			table_return_row(r->table);
			return;
		}
	}
}

void
reading_finish(struct reading *r)
{
	struct groups *g = r->groups;

	add_waiting(r);
	r->same_columns = NO_GROUP;
	for (size_t i = 0; i < TALLY_TEXTS; i++) {
		add(r, &r->tally->entry[i]);
		r->tally->entry[i] = (struct tallied){0};
	}
	for (size_t i = 0; i < g->keys.n; i++)
		histogram_finish(&g->histogram[i]);
}

void
reading_free(struct reading *r)
{
	for (size_t i = 0; i < KEY_SET_AT_ONCE; i++)
		free(r->key[i].bytes);
}
