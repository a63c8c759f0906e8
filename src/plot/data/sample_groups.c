/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the samples of each curve. */
#include "plot/data/sample_groups.h"

#include "common/base/util.h"
#include "common/stream/foreign.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Adds the number of samples to the subtitle. */
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

/* Describes the quantity: "Latency", or the column of -c in words. */
static void
describe(struct picture *p, const struct names *names)
{
	char *what = p->measure ? column_words(foreign_name(p->measure)) : NULL;

	if (what)
		*what = (char)toupper((unsigned char)*what);
	names_describe(names, p, what ? what : "Latency");
	free(what);
}

static void
draw_all(struct picture *p, struct table *t, bool runs_apart,
         const char *pooled,
         void (*draw)(struct picture *, const struct groups *,
                      const struct names *))
{
	const char *const measures[] = {
	    p->measure ? foreign_name(p->measure) : "latency_ns", NULL};
	struct row_reader rows = {
	    .measures = measures, .axis = pooled, .lacking = measures[0]};
	struct groups groups = {0};
	struct names names;

	if (strcmp(unit_of(measures[0]), "ns") != 0)
		die("-c %s: not a time, whose name ends in _ns, _us, _ms or _s",
		    measures[0]);
	read_groups(&groups, &rows, t);
	names = names_of(t, &groups.keys);
	if (!runs_apart)
		names_hide_runs(&names);
	describe(p, &names);
	say_samples(p, &groups);
	draw(p, &groups, &names);
	names_free(&names);
	groups_free(&groups);
	row_reader_free(&rows);
}

void
draw_samples(struct picture *p, struct table *t, bool runs_apart,
             void (*draw)(struct picture *, const struct groups *,
                          const struct names *))
{
	draw_all(p, t, runs_apart, NULL, draw);
}

void
draw_pooled(struct picture *p, struct table *t, const char *pooled,
            void (*draw)(struct picture *, const struct groups *,
                         const struct names *))
{
	draw_all(p, t, true, pooled, draw);
}

/* Axis -------------------------------------------------------------------- */

/* The body of a distribution ends below this many typical values. */
#define BODY_MOST 8

/* Least samples per thousand that are drawn if the others are cut off. */
#define CUT_FROM 990

/* Range of the samples of all groups. */
struct extent {
	double low, high;
	double typical;    /* the lowest median, which must be visible */
	double body;       /* highest value of the percentile below */
	unsigned promille; /* in per mille; 0: even p90 is not near */
};

static double
highest_quantile(const struct groups *g, struct fraction part)
{
	double high = -INFINITY;

	for (size_t i = 0; i < g->keys.n; i++)
		high = fmax(high, histogram_quantile(&g->histogram[i], part));
	return high;
}

static void
find_body(struct extent *e, const struct groups *g)
{
	static const unsigned promille[] = {999, 990, 950, 900};

	for (size_t i = 0; i < ARRAY_LEN(promille); i++) {
		e->body =
		    highest_quantile(g, (struct fraction){promille[i], 1000});
		if (e->body <= BODY_MOST * e->typical) {
			e->promille = promille[i];
			return;
		}
	}
}

static struct extent
extent_of(const struct groups *g)
{
	struct extent e = {INFINITY, -INFINITY, INFINITY, 0, 0};

	if (!g->keys.n)
		return (struct extent){0};
	for (size_t i = 0; i < g->keys.n; i++) {
		const struct histogram *d = &g->histogram[i];

		e.low = fmin(e.low, histogram_nth(d, 0));
		e.high = fmax(e.high, histogram_nth(d, d->n - 1));
		e.typical = fmin(
		    e.typical, histogram_quantile(d, (struct fraction){1, 2}));
	}
	find_body(&e, g);
	return e;
}

/* Cuts the axis behind the body, and notes that in its label. */
static void
cut_axis(struct picture *p, const struct extent *e, double end)
{
	char *high = time_words(e->high);
	char *label;

	axis_time(&p->x, "latency", e->low, end, INFINITY, p->room);
	label = xasprintf("%s, cut off behind p%g: the maximum is %s",
	                  p->x.label, e->promille / 10.0, high);
	free(p->x.label);
	free(high);
	p->x.label = label;
}

void
axis_of_samples(struct picture *p, const struct groups *g, enum tail tail)
{
	struct extent e = extent_of(g);
	double end = e.body + 0.05 * (e.body - e.low);

	if (!(end > e.low))
		end = e.low + 0.05 * fabs(e.low);
	if (p->x.wish.range || p->x.wish.log || tail == TAIL_ALIKE ||
	    e.promille < (tail == TAIL_CUT ? CUT_FROM : 1) ||
	    e.high - e.low <= 2 * (end - e.low))
		axis_time(&p->x, "latency", e.low, e.high,
		          (tail == TAIL_ALIKE ? LOG_TAIL_FROM : LOG_FROM) *
		              e.typical,
		          p->room);
	else if (tail == TAIL_CUT)
		cut_axis(p, &e, end);
	else
		axis_long_tail(&p->x, "latency", e.low, end, e.high, p->room);
}
