/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads measures against a size, one sweep per curve. */
#include "plot/data/sweeps.h"

#include "common/base/util.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Points ------------------------------------------------------------------- */

static void
add(struct sweep_points *s, struct sweep_point point)
{
	if (s->n == s->max) {
		s->max = s->max ? 2 * s->max : 16;
		s->point = xreallocarray(s->point, s->max, sizeof *s->point);
	}
	s->point[s->n++] = point;
}

/* Fast if samples are sorted by place, or by place in turn. */
static struct histogram *
find_pool(struct sweep_points *s, double x)
{
	for (size_t i = 0; i < s->npools; i++) {
		size_t k = (s->last + i) % s->npools;

		if (s->pool[k].x == x) {
			s->last = k;
			return &s->pool[k].histogram;
		}
	}
	s->pool = xreallocarray(s->pool, s->npools + 1, sizeof *s->pool);
	s->pool[s->npools] = (struct pool){.x = x};
	s->last = s->npools++;
	return &s->pool[s->last].histogram;
}

static void
sweep_points_take(struct sweep_points *s, const struct table *t, double x,
                  const struct row_reader *r)
{
	const char *measure = t->name[r->col];
	struct sweep_point point = {{x, row_value(t, r->col)}, NAN, NAN, NAN};

	if (!strcmp(measure, "latency_ns")) {
		row_sample(t, r->col, r->weight, find_pool(s, x));
		return;
	}
	if (!strcmp(measure, "median_ns") && row_has(t, "p95_ns")) {
		point.low = row_number(t, "p5_ns");
		point.high = row_number(t, "p95_ns");
		if (isnan(point.low))
			point.low = row_number(t, "min_ns");
		else
			point.floor = row_number(t, "min_ns");
	}
	add(s, point);
}

static struct sweep_point
summary_of(const struct pool *p)
{
	const struct histogram *d = &p->histogram;

	return (struct sweep_point){
	    .at = {p->x, histogram_quantile(d, (struct fraction){1, 2})},
	    .low = histogram_quantile(d, (struct fraction){5, 100}),
	    .high = histogram_quantile(d, (struct fraction){95, 100}),
	    .floor = histogram_nth(d, 0),
	};
}

static void
sweep_points_finish(struct sweep_points *s)
{
	for (size_t i = 0; i < s->npools; i++) {
		histogram_finish(&s->pool[i].histogram);
		add(s, summary_of(&s->pool[i]));
	}
	if (s->n)
		qsort(s->point, s->n, sizeof *s->point, by_x);
}

void
sweep_points_append(struct curve *c, const struct sweep_points *s)
{
	for (size_t i = 0; i < s->n; i++)
		curve_add(c, s->point[i].at.x, s->point[i].at.y);
}

static void
sweep_points_free(struct sweep_points *s)
{
	for (size_t i = 0; i < s->npools; i++)
		histogram_free(&s->pool[i].histogram);
	free(s->pool);
	free(s->point);
	*s = (struct sweep_points){0};
}

/* Sweeps ------------------------------------------------------------------- */

void
sweeps_read(struct size_sweeps *s, struct table *t,
            const struct sweep_kind *kind)
{
	struct row_reader r = {.measures = kind->measures,
	                       .place = kind->column,
	                       .axis = kind->column,
	                       .lacking = kind->needed};
	struct curve_style *style;

	while (row_reader_next(&r, t)) {
		double x = row_size(t, (size_t)table_find(t, kind->column));
		size_t i = key_set_intern(&s->keys, &r.key);

		s->sweep = key_set_grow(&s->keys, s->sweep, &s->room,
		                        sizeof *s->sweep);
		sweep_points_take(&s->sweep[i].points, t, x, &r);
		if (!strcmp(unit_of(r.measure), "gbit_s") &&
		    row_has(t, kind->expected))
			curve_add(&s->sweep[i].expected, x,
			          row_number(t, kind->expected));
	}
	s->measure = r.measure;
	row_reader_free(&r);
	style = curve_styles_of(t, &s->keys);
	for (size_t i = 0; i < s->keys.n; i++) {
		sweep_points_finish(&s->sweep[i].points);
		curve_sort(&s->sweep[i].expected);
		s->sweep[i].style = style[i];
	}
	free(style);
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
