#include "stats/report.h"

#include "common/names.h"

#include <stdlib.h>
#include <string.h>

/* A computed column. The percentiles of -p stand between these two lists. */
struct statistic {
	const char *name; /* without the unit */
	double (*of)(const struct dist *);
};

static double
minimum(const struct dist *d)
{
	return dist_nth(d, 0);
}

static double
median(const struct dist *d)
{
	return dist_quantile(d, (struct fraction){1, 2});
}

static double
maximum(const struct dist *d)
{
	return dist_nth(d, d->n - 1);
}

static const struct statistic before[] = {
    {"min", minimum},
    {"mean", dist_mean},
    {"median", median},
};

static const struct statistic after[] = {
    {"max", maximum},
    {"stddev", dist_stddev},
};

static void
add_statistic(struct header *h, const char *name, const char *unit)
{
	header_add(h, xasprintf("%s%s%s", name, *unit ? "_" : "", unit));
}

static void
add_identity(struct header *h, const struct table *t, const struct columns *c)
{
	for (size_t i = 0; i < c->nkey; i++)
		header_add(h, xstrdup(t->name[c->key[i]]));
}

static void
write_identity(struct out *o, const struct columns *c, const struct key *key)
{
	size_t at = 0;

	for (size_t i = 0; i < c->nkey; i++)
		out_text(o, key_text(key, c->key[i], &at));
}

/* A measured value: never rounded, not even for people. */
static void
write_value(struct out *o, double value)
{
	char text[32];

	*print_double(text, value) = '\0';
	out_text(o, text);
}

static void
begin_summary(struct out *o, const struct table *t, const struct columns *c,
              const struct percentiles *p)
{
	const char *unit = unit_of(c->measure);
	struct header h = {0};

	add_identity(&h, t, c);
	header_add(&h, xstrdup("n"));
	for (size_t i = 0; i < ARRAY_LEN(before); i++)
		add_statistic(&h, before[i].name, unit);
	for (size_t i = 0; i < p->n; i++) {
		char *name = percentile_name(p->part[i]);

		add_statistic(&h, name, unit);
		free(name);
	}
	for (size_t i = 0; i < ARRAY_LEN(after); i++)
		add_statistic(&h, after[i].name, unit);
	header_write(&h, o);
}

void
write_summary(struct out *o, const struct table *t, const struct columns *c,
              const struct groups *g, const struct percentiles *p)
{
	begin_summary(o, t, c, p);
	for (size_t k = 0; k < g->keys.n; k++) {
		const struct dist *d = &g->dist[k];

		write_identity(o, c, &g->keys.key[k]);
		out_u64(o, d->n);
		for (size_t i = 0; i < ARRAY_LEN(before); i++)
			out_double(o, before[i].of(d));
		for (size_t i = 0; i < p->n; i++)
			out_double(o, dist_quantile(d, p->part[i]));
		for (size_t i = 0; i < ARRAY_LEN(after); i++)
			out_double(o, after[i].of(d));
	}
}

void
write_histogram(struct out *o, const struct table *t, const struct columns *c,
                const struct groups *g)
{
	struct header h = {0};

	add_identity(&h, t, c);
	header_add(&h, xstrdup(c->measure));
	header_add(&h, xstrdup("count"));
	header_write(&h, o);
	for (size_t k = 0; k < g->keys.n; k++) {
		const struct dist *d = &g->dist[k];

		for (size_t i = 0; i < d->nbins; i++) {
			write_identity(o, c, &g->keys.key[k]);
			write_value(o, d->bin[i].value);
			out_u64(o, d->bin[i].count);
		}
	}
}
