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

/* Wide enough for all; the lowest median is what must be seen well. */
static void
choose_axes(struct picture *p, const struct groups *g)
{
	double low = INFINITY;
	double high = -INFINITY;
	double typical = INFINITY;

	for (size_t i = 0; i < g->keys.n; i++) {
		const struct dist *d = &g->dist[i];

		low = fmin(low, dist_nth(d, 0));
		high = fmax(high, dist_nth(d, d->n - 1));
		typical =
		    fmin(typical, dist_quantile(d, (struct fraction){1, 2}));
	}
	if (!g->keys.n)
		low = high = typical = 0;
	axis_time(&p->x, "latency", low, high, typical, p->room);
	axis_percent(&p->y, "samples at or below (%)");
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
