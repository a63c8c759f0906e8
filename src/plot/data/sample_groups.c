/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the samples of each curve. */
#include "plot/data/sample_groups.h"

#include <math.h>
#include <stdlib.h>

/* Reading ----------------------------------------------------------------- */

void
read_groups(struct groups *g, struct row_reader *r, struct table *t)
{
	struct histogram *d = NULL;

	while (row_reader_next(r, t)) {
		if (!d || !r->key_is_same)
			d = groups_find(g, &r->key);
		row_sample(t, r->col, r->weight, d);
	}
	for (size_t i = 0; i < g->keys.n; i++)
		histogram_finish(&g->histogram[i]);
}

/* Adds to what is constant how many samples there are in all. */
static void
say_samples(struct picture *p, const struct groups *g)
{
	char *constant = p->subtitle;
	uint64_t n = 0;

	for (size_t i = 0; i < g->keys.n; i++)
		n += g->histogram[i].n;
	if (!n)
		return;
	p->subtitle =
	    xasprintf("%s%s%ju sample%s", constant, *constant ? ", " : "",
	              (uintmax_t)n, n == 1 ? "" : "s");
	free(constant);
}

void
draw_samples(struct picture *p, struct table *t, bool runs_apart,
             void (*draw)(struct picture *, const struct groups *,
                          const struct names *))
{
	static const char *const measures[] = {"latency_ns", NULL};
	struct row_reader rows = {.measures = measures, .lacking = measures[0]};
	struct groups groups = {0};
	struct names names;

	read_groups(&groups, &rows, t);
	names = names_of(t, &groups.keys);
	if (!runs_apart)
		names_hide_runs(&names);
	names_describe(&names, p, "Latency");
	say_samples(p, &groups);
	draw(p, &groups, &names);
	names_free(&names);
	groups_free(&groups);
	row_reader_free(&rows);
}

/* Axis -------------------------------------------------------------------- */

/* Where the samples of all groups lie. */
struct extent {
	double low, high;
	double typical; /* the lowest median: it must be seen well */
	double body;    /* the highest p99.9 */
};

static struct extent
extent_of(const struct groups *g)
{
	struct extent e = {INFINITY, -INFINITY, INFINITY, -INFINITY};

	for (size_t i = 0; i < g->keys.n; i++) {
		const struct histogram *d = &g->histogram[i];

		e.low = fmin(e.low, histogram_nth(d, 0));
		e.high = fmax(e.high, histogram_nth(d, d->n - 1));
		e.typical = fmin(
		    e.typical, histogram_quantile(d, (struct fraction){1, 2}));
		e.body =
		    fmax(e.body,
		         histogram_quantile(d, (struct fraction){999, 1000}));
	}
	return g->keys.n ? e : (struct extent){0};
}

/*
 * One sample in a thousand must not take most of the picture: where it would,
 * the axis ends behind p99.9, and its label says so.
 */
void
axis_of_samples(struct picture *p, const struct groups *g, bool cut)
{
	struct extent e = extent_of(g);
	double end = e.body + 0.05 * (e.body - e.low);
	char *label;

	cut = cut && e.high - e.low > 2 * (end - e.low);
	axis_time(&p->x, "latency", e.low, cut ? end : e.high, e.typical,
	          p->room);
	if (!cut)
		return;
	e.high /= p->x.unit;
	label = xasprintf("%s, cut off behind p99.9: the maximum is %.*g",
	                  p->x.label, e.high < 1e6 ? 6 : 4, e.high);
	free(p->x.label);
	p->x.label = label;
}
