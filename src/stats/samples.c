#include "stats/samples.h"

#include <stdlib.h>

static double
value_of(const struct table *t, size_t col)
{
	const char *text = t->field[col];
	double value;
	const char *why = parse_number(text, &value);

	if (why)
		table_die(t, col, "'%s': %s", text, why);
	return value;
}

/* The weight of a row: 1 where its part has none. */
static uint64_t
count_of(const struct table *t, ptrdiff_t col)
{
	const char *text = col < 0 ? "" : t->field[col];
	uint64_t count;
	const char *why;

	if (!*text)
		return 1;
	why = parse_integer(text, &count);
	if (why)
		table_die(t, (size_t)col, "'%s': %s", text, why);
	return count;
}

static void
take_row(const struct table *t, const struct columns *c, struct groups *g,
         struct key *key)
{
	size_t col = (size_t)c->measure_col;
	double value = value_of(t, col);
	uint64_t count = count_of(t, c->count_col);

	if (!count)
		return;
	key->length = 0;
	for (size_t i = 0; i < c->nkey; i++)
		key_append(key, c->key[i], t->field[c->key[i]]);
	if (!dist_add(groups_find(g, key), value, count))
		table_die(t, col, "more samples than can be counted");
}

void
read_samples(struct table *t, struct columns *c, struct groups *g)
{
	struct key key = {0};
	uintmax_t skipped = 0;

	while (table_next(t)) {
		if (c->known < t->ncols)
			columns_update(c, t);
		if (c->measure_col >= 0 && *t->field[c->measure_col])
			take_row(t, c, g, &key);
		else
			skipped++;
	}
	columns_update(c, t);
	columns_check(c, t);
	free(key.bytes);
	for (size_t i = 0; i < g->keys.n; i++)
		dist_finish(&g->dist[i]);
	if (skipped)
		warn("%ju row%s without %s %s skipped", skipped,
		     skipped == 1 ? "" : "s", c->measure,
		     skipped == 1 ? "was" : "were");
}
