/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the row of each group, or its histogram. */
#include "stats/report.h"

#include "common/stream/header.h"
#include "stats/quantile_ci.h"

#include <math.h>
#include <stdlib.h>

struct statistic;

/* The samples of a row. */
struct sampled {
	const struct histogram *d;
	struct moments moments;
};

/* Writes a cell of a group. */
typedef void writer(struct out *, const struct sampled *,
                    const struct statistic *);

/* A computed column. */
struct statistic {
	writer *write;
	const struct summary *how;
	struct fraction part; /* of a quantile */
};

/* All statistics, and the names of key columns and statistics. */
struct columns_out {
	struct header header;
	struct statistic *statistic;
	size_t n;
	const char *unit;
	const struct summary *how;
};

/* What the cells hold ------------------------------------------------------ */

static void
write_n(struct out *o, const struct sampled *g, const struct statistic *s)
{
	(void)s;
	out_u64(o, g->d->n);
}

static void
write_minimum(struct out *o, const struct sampled *g, const struct statistic *s)
{
	(void)s;
	out_double(o, histogram_nth(g->d, 0));
}

static void
write_mean(struct out *o, const struct sampled *g, const struct statistic *s)
{
	(void)s;
	out_double(o, g->moments.mean);
}

static void
write_quantile(struct out *o, const struct sampled *g,
               const struct statistic *s)
{
	out_double(
	    o, histogram_quantile_type(g->d, s->part, s->how->quantile_type));
}

/* Writes the sample of this rank, from 1; 0: none. */
static void
write_limit(struct out *o, const struct histogram *d, uint64_t number)
{
	out_double(o, number ? histogram_nth(d, number - 1) : NAN);
}

static void
write_lower(struct out *o, const struct sampled *g, const struct statistic *s)
{
	write_limit(o, g->d, lower_limit(g->d->n, s->part, s->how->level));
}

static void
write_upper(struct out *o, const struct sampled *g, const struct statistic *s)
{
	write_limit(o, g->d, upper_limit(g->d->n, s->part, s->how->level));
}

static void
write_maximum(struct out *o, const struct sampled *g, const struct statistic *s)
{
	(void)s;
	out_double(o, histogram_nth(g->d, g->d->n - 1));
}

static void
write_mode(struct out *o, const struct sampled *g, const struct statistic *s)
{
	(void)s;
	out_double(o, histogram_mode(g->d));
}

/*
 * Latencies are often quotients, as cycles over a rate: a sample of exactly
 * `outliers` times the percentile may print a rounding error above it.
 */
#define ROUNDING 1e-15L

static void
write_outliers(struct out *o, const struct sampled *g,
               const struct statistic *s)
{
	double p95 = histogram_quantile_type(g->d, (struct fraction){95, 100},
	                                     s->how->quantile_type);

	out_u64(o, histogram_above(g->d, (long double)p95 * s->how->outliers *
	                                     (1 + ROUNDING)));
}

static void
write_deviation(struct out *o, const struct sampled *g,
                const struct statistic *s)
{
	out_double(o, s->how->population ? g->moments.population_stddev
	                                 : g->moments.stddev);
}

/* Which there are ---------------------------------------------------------- */

/* Adds a statistic of the measure's unit; the caller completes it. */
static struct statistic *
add(struct columns_out *to, const char *name, writer *write)
{
	struct statistic *s;

	header_add(&to->header,
	           xasprintf("%s%s%s", name, *to->unit ? "_" : "", to->unit));
	to->statistic =
	    xreallocarray(to->statistic, to->n + 1, sizeof *to->statistic);
	s = &to->statistic[to->n++];
	*s = (struct statistic){.write = write, .how = to->how};
	return s;
}

static void
add_limit(struct columns_out *to, const char *quantile, const char *which,
          writer *write, struct fraction part)
{
	char *name = xasprintf("%s_%s", quantile, which);

	add(to, name, write)->part = part;
	free(name);
}

static void
add_quantile(struct columns_out *to, const char *name, struct fraction part)
{
	add(to, name, write_quantile)->part = part;
	if (!to->how->level.den)
		return;
	add_limit(to, name, "lo", write_lower, part);
	add_limit(to, name, "hi", write_upper, part);
}

static bool
is_first(struct fraction part)
{
	return 100 * part.num == part.den;
}

static void
add_percentiles(struct columns_out *to)
{
	const struct percentiles *p = &to->how->percentiles;

	for (size_t i = 0; i < p->n; i++) {
		char *name = percentile_name(p->part[i]);

		if (!to->how->floor || !is_first(p->part[i]))
			add_quantile(to, name, p->part[i]);
		free(name);
	}
}

/* Statistics near the minimum that depend less on single samples. */
static void
add_floor(struct columns_out *to)
{
	add_quantile(to, "p1", (struct fraction){1, 100});
	add(to, "mode", write_mode);
}

/* Counts of samples have no unit. */
static void
add_number(struct columns_out *to, const char *name, writer *write)
{
	const char *unit = to->unit;

	to->unit = "";
	add(to, name, write);
	to->unit = unit;
}

static void
add_statistics(struct columns_out *to)
{
	add_number(to, "n", write_n);
	add(to, "min", write_minimum);
	if (to->how->floor)
		add_floor(to);
	add(to, "mean", write_mean);
	add_quantile(to, "median", (struct fraction){1, 2});
	add_percentiles(to);
	add(to, "max", write_maximum);
	if (to->how->outliers > 0)
		add_number(to, "outliers", write_outliers);
	add(to, "stddev", write_deviation);
}

/* Rows --------------------------------------------------------------------- */

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

void
write_summary(struct out *o, const struct table *t, const struct columns *c,
              const struct groups *g, const struct summary *s)
{
	struct columns_out to = {.unit = unit_of(c->measure), .how = s};

	add_identity(&to.header, t, c);
	add_statistics(&to);
	header_write(&to.header, o);
	for (size_t k = 0; k < g->keys.n; k++) {
		struct sampled row = {
		    .d = &g->histogram[k],
		    .moments = histogram_moments(&g->histogram[k]),
		};

		write_identity(o, c, &g->keys.key[k]);
		for (size_t i = 0; i < to.n; i++)
			to.statistic[i].write(o, &row, &to.statistic[i]);
	}
	free(to.statistic);
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
		const struct histogram *d = &g->histogram[k];

		for (size_t i = 0; i < d->nbins; i++) {
			write_identity(o, c, &g->keys.key[k]);
			out_value(o, d->bin[i].value);
			out_u64(o, d->bin[i].count);
		}
	}
}
