/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the points of a sweep from statistics or samples. */
#include "plot/data/sweep_points.h"

#include "common/base/util.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

void
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

void
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

void
sweep_points_free(struct sweep_points *s)
{
	for (size_t i = 0; i < s->npools; i++)
		histogram_free(&s->pool[i].histogram);
	free(s->pool);
	free(s->point);
	*s = (struct sweep_points){0};
}
