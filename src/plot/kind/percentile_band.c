/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Draws the bands and minima of sweeps. */
#include "plot/kind/percentile_band.h"

#include "common/base/util.h"

#include <math.h>

/* More bands could not be told apart. */
#define BANDS_MOST 6

static void
add_unnamed(struct picture *p, enum style style, struct curve *from,
            size_t number)
{
	if (from->n)
		picture_take(p, style, NULL, from)->colour = number;
}

/* Along the lower edge and back along the upper one. */
static void
add_band(struct picture *p, const struct sweep_points *s, size_t number)
{
	struct curve c = {0};

	for (size_t i = 0; i < s->n; i++) {
		if (!isnan(s->point[i].low))
			curve_add(&c, s->point[i].at.x, s->point[i].low);
	}
	for (size_t i = s->n; i-- > 0;) {
		if (!isnan(s->point[i].low))
			curve_add(&c, s->point[i].at.x, s->point[i].high);
	}
	add_unnamed(p, STYLE_BAND, &c, number);
}

static void
add_floor(struct picture *p, const struct sweep_points *s, size_t number)
{
	struct curve c = {0};

	for (size_t i = 0; i < s->n; i++) {
		if (!isnan(s->point[i].floor))
			curve_add(&c, s->point[i].at.x, s->point[i].floor);
	}
	add_unnamed(p, STYLE_FLOOR, &c, number);
}

/* Whether any band starts at p5 (or, if not at_p5, at the minimum). */
static bool
any_band(const struct size_sweeps *s, bool at_p5)
{
	for (size_t i = 0; i < s->keys.n; i++) {
		const struct sweep_points *points = &s->sweep[i].points;

		for (size_t k = 0; k < points->n; k++) {
			const struct sweep_point *point = &points->point[k];

			if (!isnan(point->low) && at_p5 == !isnan(point->floor))
				return true;
		}
	}
	return false;
}

/* Whether the bands overlap at more than half of their common places. */
static bool
overlap(const struct sweep_points *a, const struct sweep_points *b)
{
	size_t apart = 0, both = 0, k = 0;

	for (size_t i = 0; i < a->n; i++) {
		const struct sweep_point *x = &a->point[i], *y;

		while (k < b->n && b->point[k].at.x < x->at.x)
			k++;
		if (k == b->n || b->point[k].at.x != x->at.x)
			continue;
		y = &b->point[k];
		both++;
		apart += !(x->low <= y->high && y->low <= x->high);
	}
	return 2 * apart < both;
}

/* Overlapping bands form a patchwork in which none is visible. */
static bool
any_overlap(const struct size_sweeps *s)
{
	for (size_t i = 0; i < s->keys.n; i++) {
		for (size_t k = i + 1; k < s->keys.n; k++) {
			if (s->sweep[i].style.colour !=
			        s->sweep[k].style.colour &&
			    overlap(&s->sweep[i].points, &s->sweep[k].points))
				return true;
		}
	}
	return false;
}

void
add_bands(struct picture *p, const struct size_sweeps *s)
{
	bool p5 = any_band(s, true);
	bool minimum = any_band(s, false);

	if (s->keys.n > BANDS_MOST || (!p5 && !minimum))
		return;
	if (any_overlap(s)) {
		p->note = xstrdup("median; bands from p5 to p95 overlap, and "
		                  "are left out");
		return;
	}
	p->note =
	    xstrdup(!p5       ? "median; band from minimum to p95"
	            : minimum ? "median; band from p5, or the minimum, to p95"
	                      : "median; band from p5 to p95; dots: minimum");
	for (size_t i = 0; i < s->keys.n; i++)
		add_band(p, &s->sweep[i].points, s->sweep[i].style.colour);
	for (size_t i = 0; i < s->keys.n; i++)
		add_floor(p, &s->sweep[i].points, s->sweep[i].style.colour);
}
