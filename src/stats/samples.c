#include "stats/samples.h"

#include <stdlib.h>

/* With more groups than these, single samples are worth a warning. */
#define MANY_GROUPS 1000

/* The distribution that the row belongs to. */
static struct dist *
find_dist(const struct table *t, const struct columns *c, struct groups *g,
          struct key *key)
{
	key->length = 0;
	for (size_t i = 0; i < c->nkey; i++)
		key_append(key, c->key[i], t->field[c->key[i]]);
	return groups_find(g, key);
}

/* Whether the row is of the same group as the row before. */
static bool
same_group(const struct table *t, const struct columns *c)
{
	return !c->nkey || t->steady > c->key[c->nkey - 1];
}

/*
 * Takes the row into `last`, the distribution of the row before, or into its
 * own if that is another, which it returns; NULL if it took nothing.
 */
static struct dist *
take_row(const struct table *t, const struct columns *c, struct groups *g,
         struct key *key, struct dist *last)
{
	size_t col = (size_t)c->measure_col;
	double value = table_number(t, col);
	uint64_t count = 1;

	if (c->count_col >= 0)
		count = table_weight(t, (size_t)c->count_col);
	if (!count)
		return NULL;
	if (!last || !same_group(t, c))
		last = find_dist(t, c, g, key);
	if (!dist_add(last, value, count))
		table_die(t, col, "more samples than can be counted");
	return last;
}

/* How many different texts each column of c->key has. */
static void
count_values(const struct columns *c, const struct groups *g, size_t values[])
{
	struct keys *texts = xcalloc(c->nkey, sizeof *texts);
	struct key text = {0};

	for (size_t k = 0; k < g->keys.n; k++) {
		size_t at = 0;

		for (size_t i = 0; i < c->nkey; i++) {
			text.length = 0;
			key_append(&text, 0,
			           key_text(&g->keys.key[k], c->key[i], &at));
			keys_number(&texts[i], &text);
		}
	}
	for (size_t i = 0; i < c->nkey; i++) {
		values[i] = texts[i].n;
		keys_free(&texts[i]);
	}
	free(text.bytes);
	free(texts);
}

/* Statistics of single samples are a column of identity too many. */
static void
warn_of_singles(const struct table *t, const struct columns *c,
                const struct groups *g)
{
	size_t singles = 0, most = 0;
	size_t *values;

	for (size_t k = 0; k < g->keys.n; k++)
		singles += g->dist[k].n == 1;
	if (g->keys.n <= MANY_GROUPS || singles <= g->keys.n / 2)
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
	struct key key = {0};
	struct dist *last = NULL;
	uintmax_t skipped = 0;

	while (table_next(t)) {
		bool given;

		if (c->known < t->ncols)
			columns_update(c, t);
		given = c->measure_col >= 0 && *t->field[c->measure_col];
		last = given ? take_row(t, c, g, &key, last) : NULL;
		skipped += !given;
	}
	columns_update(c, t);
	columns_check(c, t);
	free(key.bytes);
	for (size_t i = 0; i < g->keys.n; i++)
		dist_finish(&g->dist[i]);
	warn_of_singles(t, c, g);
	if (skipped)
		warn("%ju row%s without %s %s skipped", skipped,
		     skipped == 1 ? "" : "s", c->measure,
		     skipped == 1 ? "was" : "were");
}
