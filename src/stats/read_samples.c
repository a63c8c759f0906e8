/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads rows into the histograms of their groups. */
#include "stats/stats.h"

#include "common/base/number.h"

/* Rows --------------------------------------------------------------------- */

/*
 * Values of a timer repeat, and counting a known text takes a third of the time
 * of parsing it: a cache with one entry per hash.
 */
#define TALLY_BITS  14
#define TALLY_TEXTS (1 << TALLY_BITS)

/* Samples of one text and one group, by its index. */
struct tallied {
	uint64_t text; /* as word_of gives it */
	size_t group;
	uint64_t count; /* 0: unused */
	double value;
};

/* Rows that table_run gives at once. */
#define RUN_MAX 64

/*
 * Rows of another group than the row before wait, because it takes half of the
 * time to look up the groups of many rows at once.
 */
struct reading {
	struct table *table;
	struct columns *columns;
	struct groups *groups;
	struct tallied *tally;
	uintmax_t skipped; /* rows without a measure */

	size_t group; /* of the last row that did not wait, */
	bool settled; /* which is the row before */
	struct key key[KEYS_AT_ONCE];
	struct tallied waiting[KEYS_AT_ONCE];
	size_t nwaiting;
};

/* A text of 1 to 7 bytes as a number, the first byte lowest; 0 for others. */
static uint64_t
word_of(const char *text)
{
	uint64_t word = 0;

	for (unsigned i = 0; i < 56; i += 8) {
		if (!*text)
			return word;
		word |= (uint64_t)(unsigned char)*text++ << i;
	}
	return *text ? 0 : word;
}

static void
add(const struct reading *r, const struct tallied *samples)
{
	if (!tallies_add(&r->groups->samples, samples->group, samples->value,
	                 samples->count))
		table_die(r->table, (size_t)r->columns->measure_col,
		          "more samples than can be counted");
}

/* Adds the rows that wait; sets the group of the last one. */
static void
add_waiting(struct reading *r)
{
	if (!r->nwaiting)
		return;
	key_set_prefetch(&r->groups->keys, r->key, r->nwaiting);
	for (size_t i = 0; i < r->nwaiting; i++) {
		r->group = key_set_intern(&r->groups->keys, &r->key[i]);
		r->waiting[i].group = r->group;
		add(r, &r->waiting[i]);
	}
	r->nwaiting = 0;
}

/* Whether this row has the group of the row before; if not, makes its key. */
static bool
same_group(struct reading *r)
{
	const struct columns *c = r->columns;
	struct key *key = &r->key[r->nwaiting];

	key->length = 0;
	for (size_t i = 0; i < c->nkey; i++)
		key_append(key, c->key[i], r->table->field[c->key[i]]);
	if (r->nwaiting)
		return key_equal(key, key - 1);
	return r->groups->keys.n &&
	       key_equal(key, &r->groups->keys.key[r->group]);
}

/* The samples of the current row; their count is 0 if it has none. */
static struct tallied
parse_row(struct reading *r)
{
	const struct table *t = r->table;
	const struct columns *c = r->columns;
	struct tallied sample = {0};

	if (*table_text(t, c->measure_col)) {
		sample.value = table_number(t, (size_t)c->measure_col);
		sample.count = table_weight(t, c->count_col);
	} else {
		trace_skipped(t, c->measure ? c->measure : "a value");
		r->skipped++;
	}
	return sample;
}

/* Takes the current row, whose group is known. */
static void
count(struct reading *r, uint64_t word)
{
	uint64_t hash = (word + r->group) * UINT64_C(0x9e3779b97f4a7c15);
	struct tallied *entry = &r->tally[hash >> (64 - TALLY_BITS)];
	struct tallied sample;

	if (word && entry->text == word && entry->group == r->group) {
		entry->count++;
		return;
	}
	sample = parse_row(r);
	sample.group = r->group;
	sample.text = word;
	add(r, word ? entry : &sample);
	if (word)
		*entry = sample;
}

/* Takes the next rows as long as only their measure differs. */
static void
take_run(struct reading *r)
{
	struct table *t = r->table;
	const char *text[RUN_MAX];
	size_t n;

	while ((n = table_run(t, text, RUN_MAX))) {
		t->line -= n;
		for (size_t i = 0; i < n; i++) {
			t->line++;
			t->field[t->changed] = text[i];
			count(r, word_of(text[i]));
		}
	}
}

static void
take_row(struct reading *r)
{
	struct columns *c = r->columns;
	struct table *t = r->table;
	struct tallied sample;
	bool alone; /* has the measure changed */

	if (c->known < t->ncols)
		columns_update(c, t);
	alone = t->changed == (size_t)c->measure_col;
	if ((r->settled && alone) || same_group(r)) {
		add_waiting(r);
		r->settled = true;
		count(r, c->count_col < 0
		             ? word_of(table_text(t, c->measure_col))
		             : 0);
		if (alone && c->count_col < 0)
			take_run(r);
		return;
	}
	r->settled = false;
	sample = parse_row(r);
	if (!sample.count)
		return;
	r->waiting[r->nwaiting++] = sample;
	if (r->nwaiting == KEYS_AT_ONCE)
		add_waiting(r);
}

/* All rows ----------------------------------------------------------------- */

/* With more groups, single samples deserve a warning. */
#define MANY_GROUPS 1000

/*
 * Groups of single samples have a key column too many; but a run has only one
 * bandwidth.
 */
static void
warn_of_singles(const struct table *t, const struct columns *c,
                const struct groups *g)
{
	size_t singles = 0, most = 0, col = 0;

	for (size_t k = 0; k < g->keys.n; k++)
		singles += g->histogram[k].n == 1;
	if (g->keys.n <= MANY_GROUPS || singles <= g->keys.n / 2 ||
	    !strcmp(c->measure, "bandwidth_gbit_s"))
		return;
	for (size_t i = 0; i < c->nkey; i++) {
		struct key_set texts = {0};

		for (size_t k = 0; k < g->keys.n; k++)
			key_set_intern_text(
			    &texts, key_find(&g->keys.key[k], c->key[i]));
		if (texts.n > most) {
			most = texts.n;
			col = c->key[i];
		}
		key_set_free(&texts);
	}
	warn("%zu of %zu groups have only one sample; '%s' has %zu values: "
	     "--pool pools over a column",
	     singles, g->keys.n, t->name[col], most);
}

void
read_samples(struct table *t, struct columns *c, struct groups *g)
{
	struct reading r = {.table = t,
	                    .columns = c,
	                    .groups = g,
	                    .tally = xcalloc(TALLY_TEXTS, sizeof *r.tally)};

	while (table_next(t))
		take_row(&r);
	columns_update(c, t);
	columns_check(c, t);
	add_waiting(&r);
	for (size_t i = 0; i < TALLY_TEXTS; i++)
		add(&r, &r.tally[i]);
	g->histogram = tallies_finish(&g->samples, g->keys.n);
	for (size_t i = 0; i < KEYS_AT_ONCE; i++)
		free(r.key[i].bytes);
	free(r.tally);
	warn_of_singles(t, c, g);
	warn_skipped(r.skipped, c->measure);
}
