#include "plot/samples.h"

#include "common/names.h"

#include <math.h>
#include <stdlib.h>

static const char measure[] = "latency_ns";

/* Reading ----------------------------------------------------------------- */

static bool
take_row(struct samples *s, const struct table *t)
{
	ptrdiff_t col = table_find(t, measure);
	uint64_t weight;

	if (identity_key(&s->id, t, &s->key))
		s->dist = NULL;
	if (col < 0 || !*t->field[col])
		return false;
	weight = row_weight(t);
	if (!weight)
		return true;
	if (!s->dist)
		s->dist = groups_find(&s->groups, &s->key);
	row_sample(t, (size_t)col, weight, s->dist);
	return true;
}

static void
read_samples(struct samples *s, struct table *t)
{
	uintmax_t skipped = 0;

	while (table_next(t))
		skipped += !take_row(s, t);
	need_column(t, measure);
	warn_skipped(skipped, measure);
	for (size_t i = 0; i < s->groups.keys.n; i++)
		dist_finish(&s->groups.dist[i]);
}

void
samples_free(struct samples *s)
{
	groups_free(&s->groups);
	free(s->id.col);
	free(s->key.bytes);
	*s = (struct samples){0};
}

void
draw_samples(struct picture *p, struct table *t,
             void (*draw)(struct picture *, const struct groups *,
                          const struct names *))
{
	struct samples s = {0};
	struct names names;

	read_samples(&s, t);
	names = names_of(t, &s.groups.keys);
	names_describe(&names, p, "Latency");
	draw(p, &s.groups, &names);
	names_free(&names);
	samples_free(&s);
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
