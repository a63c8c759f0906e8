/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plot/data/sweep_points.h"

#include "common/base/util.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void
add(struct spots *s, struct spot spot)
{
	if (s->n == s->max) {
		s->max = s->max ? 2 * s->max : 16;
		s->spot = xreallocarray(s->spot, s->max, sizeof *s->spot);
	}
	s->spot[s->n++] = spot;
}

/* Samples come sorted by place, or one place after the other. */
static struct histogram *
find_pool(struct spots *s, double x)
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
spots_take(struct spots *s, const struct table *t, double x,
           const struct rows *r)
{
	const char *measure = t->name[r->col];
	struct spot spot = {{x, row_value(t, r->col)}, NAN, NAN, NAN};

	if (!strcmp(measure, "latency_ns")) {
		row_sample(t, r->col, r->weight, find_pool(s, x));
		return;
	}
	if (!strcmp(measure, "median_ns") && row_has(t, "p95_ns")) {
		spot.low = row_number(t, "p5_ns");
		spot.high = row_number(t, "p95_ns");
		if (isnan(spot.low))
			spot.low = row_number(t, "min_ns");
		else
			spot.floor = row_number(t, "min_ns");
	}
	add(s, spot);
}

static struct spot
summary_of(const struct pool *p)
{
	const struct histogram *d = &p->histogram;

	return (struct spot){
	    .at = {p->x, histogram_quantile(d, (struct fraction){1, 2})},
	    .low = histogram_quantile(d, (struct fraction){5, 100}),
	    .high = histogram_quantile(d, (struct fraction){95, 100}),
	    .floor = histogram_nth(d, 0),
	};
}

void
spots_finish(struct spots *s)
{
	for (size_t i = 0; i < s->npools; i++) {
		histogram_finish(&s->pool[i].histogram);
		add(s, summary_of(&s->pool[i]));
	}
	if (s->n)
		qsort(s->spot, s->n, sizeof *s->spot, by_place);
}

void
spots_append(struct curve *c, const struct spots *s)
{
	for (size_t i = 0; i < s->n; i++)
		curve_add(c, s->spot[i].at.x, s->spot[i].at.y);
}

void
spots_free(struct spots *s)
{
	for (size_t i = 0; i < s->npools; i++)
		histogram_free(&s->pool[i].histogram);
	free(s->pool);
	free(s->spot);
	*s = (struct spots){0};
}
