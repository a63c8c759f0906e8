/* Cumulative distributions: a curve for each group of samples. */
#include "common/groups.h"
#include "common/names.h"
#include "plot/describe.h"
#include "plot/kind.h"
#include "plot/rows.h"
#include "plot/steps.h"

#include <math.h>
#include <stdlib.h>

static const char measure[] = "latency_ns";

/* What the rows of the input become, one after the other. */
struct reader {
	struct groups groups;
	struct identity id;
	struct key key;    /* of the current row */
	struct dist *dist; /* of that key; NULL: not looked up yet */
	uintmax_t skipped;
};

static void
take_row(struct reader *r, const struct table *t)
{
	ptrdiff_t col = table_find(t, measure);
	ptrdiff_t count_col = table_find(t, "count");
	uint64_t weight = 1;
	double value;

	if (identity_key(&r->id, t, &r->key))
		r->dist = NULL;
	if (col < 0 || !*t->field[col]) {
		r->skipped++;
		return;
	}
	value = row_value(t, (size_t)col);
	if (count_col >= 0)
		weight = table_weight(t, (size_t)count_col);
	if (!weight)
		return;
	if (!r->dist)
		r->dist = groups_find(&r->groups, &r->key);
	if (!dist_add(r->dist, value, weight))
		table_die(t, (size_t)col, "more samples than can be counted");
}

static struct groups
read_samples(struct table *t)
{
	struct reader r = {0};

	while (table_next(t))
		take_row(&r, t);
	need_column(t, measure);
	warn_skipped(r.skipped, measure);
	for (size_t i = 0; i < r.groups.keys.n; i++)
		dist_finish(&r.groups.dist[i]);
	free(r.id.col);
	free(r.key.bytes);
	return r.groups;
}

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
		const struct dist *d = &g->dist[i];

		e.low = fmin(e.low, dist_nth(d, 0));
		e.high = fmax(e.high, dist_nth(d, d->n - 1));
		e.typical =
		    fmin(e.typical, dist_quantile(d, (struct fraction){1, 2}));
		e.body = fmax(e.body,
		              dist_quantile(d, (struct fraction){999, 1000}));
	}
	return g->keys.n ? e : (struct extent){0};
}

/*
 * One sample in a thousand must not take most of the picture: where it would,
 * the axis ends behind p99.9, and its label says so.
 */
static void
choose_axes(struct picture *p, const struct groups *g)
{
	struct extent e = extent_of(g);
	double end = e.body + 0.05 * (e.body - e.low);
	bool cut = e.high - e.low > 2 * (end - e.low);
	char *label;

	axis_time(&p->x, "latency", e.low, cut ? end : e.high, e.typical,
	          p->room);
	axis_percent(&p->y, "samples at or below (%)");
	if (!cut)
		return;
	label = xasprintf("%s, cut off behind p99.9: the maximum is %.4g",
	                  p->x.label, e.high / p->x.unit);
	free(p->x.label);
	p->x.label = label;
}

static void
draw(struct picture *p, struct table *t)
{
	struct groups g = read_samples(t);
	struct names names = names_of(t, &g.keys);

	names_describe(&names, p, "Latency");
	choose_axes(p, &g);
	for (size_t i = 0; i < g.keys.n; i++) {
		char *name = names_legend(&names, &g.keys.key[i]);

		add_steps(picture_add(p, STYLE_STEPS, name), &g.dist[i], p);
	}
	names_free(&names);
	groups_free(&g);
}

const struct kind kind_cdf = {
    .name = "cdf",
    .help = "how many of the samples are below a latency",
    .draw = draw,
};
