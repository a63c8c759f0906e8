/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads rows into the histograms of their groups. */
#include "stats/row_groups.h"

#include "common/stream/columns.h"

#include <stdlib.h>
#include <string.h>

/* With more groups, single samples deserve a warning. */
#define MANY_GROUPS 1000

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
read_samples(struct table *t, struct columns *c, struct groups *g,
             struct division division)
{
	static struct tally tally; /* too large for a small stack */
	struct segments segments = {.division = division};
	struct reading r = {
	    .table = t,
	    .columns = c,
	    .groups = g,
	    .tally = &tally,
	};

	reading_begin(&r);
	if (division.threads > 1)
		table_divide(t, division.threads * division.least);
	for (;;) {
		reading_take_rows(&r);
		if (!table_paused(t))
			break;
		segments_continue(&segments, &r);
	}
	segments_end(&segments);
	columns_update(c, t);
	columns_check(c, t);
	reading_finish(&r);
	reading_free(&r);
	warn_of_singles(t, c, g);
	warn_skipped(r.skipped, c->measure);
}
