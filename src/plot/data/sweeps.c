/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plot/data/sweeps.h"

#include <stdlib.h>
#include <string.h>

static struct sweep *
find_sweep(struct sweeps *s, const struct key *key)
{
	size_t i = key_set_intern(&s->keys, key);

	s->sweep = key_set_grow(&s->keys, s->sweep, &s->room, sizeof *s->sweep);
	return &s->sweep[i];
}

static void
take_row(struct sweeps *s, const struct table *t, const struct rows *r,
         const char *expected)
{
	struct sweep *sweep = find_sweep(s, &r->key);
	double x = row_size(t, (size_t)table_find(t, r->place));

	spots_take(&sweep->spots, t, x, r);
	if (!strcmp(unit_of(r->measure), "gbit_s") && row_has(t, expected))
		curve_add(&sweep->expected, x, row_number(t, expected));
}

static void
finish(struct sweeps *s, const struct table *t)
{
	struct look *look = looks_of(t, &s->keys);

	for (size_t i = 0; i < s->keys.n; i++) {
		spots_finish(&s->sweep[i].spots);
		curve_sort(&s->sweep[i].expected);
		s->sweep[i].look = look[i];
	}
	free(look);
}

void
sweeps_read(struct sweeps *s, struct table *t, const struct sweep_kind *kind)
{
	struct rows r = {.measures = kind->measures,
	                 .place = kind->column,
	                 .axis = kind->column,
	                 .lacking = kind->needed};

	while (rows_next(&r, t))
		take_row(s, t, &r, kind->expected);
	s->measure = r.measure;
	rows_free(&r);
	finish(s, t);
}

void
sweeps_free(struct sweeps *s)
{
	for (size_t i = 0; i < s->keys.n; i++) {
		spots_free(&s->sweep[i].spots);
		free(s->sweep[i].expected.point);
	}
	free(s->sweep);
	key_set_free(&s->keys);
	*s = (struct sweeps){0};
}

bool
is_computed(const struct names *names, const struct key *key)
{
	ptrdiff_t kind = table_find(names->t, "kind");

	return kind >= 0 && !strcmp(key_find(key, (size_t)kind), "model");
}
