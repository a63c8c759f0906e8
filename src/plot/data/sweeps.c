/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads measures against a size, one sweep per curve. */
#include "plot/data/sweeps.h"

#include <stdlib.h>
#include <string.h>

static struct size_sweep *
find_sweep(struct size_sweeps *s, const struct key *key)
{
	size_t i = key_set_intern(&s->keys, key);

	s->sweep = key_set_grow(&s->keys, s->sweep, &s->room, sizeof *s->sweep);
	return &s->sweep[i];
}

static void
take_row(struct size_sweeps *s, const struct table *t,
         const struct row_reader *r, const char *expected)
{
	struct size_sweep *sweep = find_sweep(s, &r->key);
	double x = row_size(t, (size_t)table_find(t, r->place));

	sweep_points_take(&sweep->points, t, x, r);
	if (!strcmp(unit_of(r->measure), "gbit_s") && row_has(t, expected))
		curve_add(&sweep->expected, x, row_number(t, expected));
}

static void
finish(struct size_sweeps *s, const struct table *t)
{
	struct curve_style *style = curve_styles_of(t, &s->keys);

	for (size_t i = 0; i < s->keys.n; i++) {
		sweep_points_finish(&s->sweep[i].points);
		curve_sort(&s->sweep[i].expected);
		s->sweep[i].style = style[i];
	}
	free(style);
}

void
sweeps_read(struct size_sweeps *s, struct table *t,
            const struct sweep_kind *kind)
{
	struct row_reader r = {.measures = kind->measures,
	                       .place = kind->column,
	                       .axis = kind->column,
	                       .lacking = kind->needed};

	while (row_reader_next(&r, t))
		take_row(s, t, &r, kind->expected);
	s->measure = r.measure;
	row_reader_free(&r);
	finish(s, t);
}

void
sweeps_free(struct size_sweeps *s)
{
	for (size_t i = 0; i < s->keys.n; i++) {
		sweep_points_free(&s->sweep[i].points);
		free(s->sweep[i].expected.point);
	}
	free(s->sweep);
	key_set_free(&s->keys);
	*s = (struct size_sweeps){0};
}

bool
is_computed(const struct names *names, const struct key *key)
{
	ptrdiff_t kind = table_find(names->t, "kind");

	return kind >= 0 && !strcmp(key_find(key, (size_t)kind), "model");
}
