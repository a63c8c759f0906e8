/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the row of each group, or its histogram. */
#include "stats/stats.h"

#include "common/base/intmath.h"
#include "common/base/number.h"
#include "common/base/util.h"
#include "common/cli/option_table.h"
#include "common/stream/writer.h"

#include <math.h>

/* Percentages of -p -------------------------------------------------------- */

static int
by_size(const void *a, const void *b)
{
	const struct fraction *x = a, *y = b;
	uint128 left = (uint128)x->num * y->den;
	uint128 right = (uint128)y->num * x->den;

	return (left > right) - (left < right);
}

static const char *
add_percentage(void *to, const char *text)
{
	struct percentiles *p = to;

	p->part = xreallocarray(p->part, p->n + 1, sizeof *p->part);
	return parse_percentage(text + (*text == 'p'), &p->part[p->n++]);
}

/* Why "0.99" alone is refused, often written for p99; else NULL. */
static const char *
is_ambiguous(const char *list, struct fraction largest)
{
	static char why[100];
	double percent = 100 * (double)largest.num / (double)largest.den;

	if (percent <= 0 || percent >= 1 || strpbrk(list, "p%"))
		return NULL;
	snprintf(why, sizeof why,
	         "write p%.15g, or p%.15g for less than one percent",
	         100 * percent, percent);
	return why;
}

const char *
parse_percentiles(void *percentiles, const char *list)
{
	struct percentiles *p = percentiles;
	const char *why;
	size_t n;

	p->n = 0;
	why = option_each_word(list, p, add_percentage);
	if (why)
		return why;
	n = p->n;
	qsort(p->part, n, sizeof *p->part, by_size);
	why = is_ambiguous(list, p->part[n - 1]);
	if (why)
		return why;
	for (size_t i = 0; i < n; i++) {
		if (i && !by_size(&p->part[i - 1], &p->part[i]))
			return "a percentage is repeated";
	}
	p->n = 0;
	for (size_t i = 0; i < n; i++) {
		if (2 * p->part[i].num != p->part[i].den)
			p->part[p->n++] = p->part[i];
	}
	return NULL;
}

/* "p99_9" for 99.9; free the text. */
static char *
percentile_name(struct fraction part)
{
	uint64_t unit = part.den / 100;
	int decimals = 0;

	for (uint64_t u = unit; u > 1; u /= 10)
		decimals++;
	if (!decimals)
		return xasprintf("p%ju", (uintmax_t)part.num);
	return xasprintf("p%ju_%0*ju", (uintmax_t)(part.num / unit), decimals,
	                 (uintmax_t)(part.num % unit));
}

/* What the cells hold ------------------------------------------------------ */

/* A computed column. */
struct statistic {
	enum what {
		NUMBER,
		MINIMUM,
		MODE,
		MEAN,
		QUANTILE,
		LOWER_LIMIT,
		UPPER_LIMIT,
		MAXIMUM,
		OUTLIERS,
		DEVIATION
	} what;
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

/*
 * Latencies are often quotients, as cycles over a rate: a sample of exactly
 * `outliers` times the percentile may print a rounding error above it.
 */
#define ROUNDING 1e-15L

/* Writes a cell of the group with these samples. */
static void
write_cell(struct out *o, const struct histogram *d, const struct moments *m,
           const struct statistic *s, const struct summary *how)
{
	uint64_t rank;
	double p95;

	switch (s->what) {
	case NUMBER:
		out_u64(o, d->n);
		break;
	case MINIMUM:
		out_double(o, histogram_nth(d, 0));
		break;
	case MODE:
		out_double(o, histogram_mode(d));
		break;
	case MEAN:
		out_double(o, m->mean);
		break;
	case QUANTILE:
		out_double(
		    o, histogram_quantile_type(d, s->part, how->quantile_type));
		break;
	case LOWER_LIMIT:
	case UPPER_LIMIT:
		rank = (s->what == LOWER_LIMIT ? lower_limit : upper_limit)(
		    d->n, s->part, how->level);
		out_double(o, rank ? histogram_nth(d, rank - 1) : NAN);
		break;
	case MAXIMUM:
		out_double(o, histogram_nth(d, d->n - 1));
		break;
	case OUTLIERS:
		p95 = histogram_quantile_type(d, (struct fraction){95, 100},
		                              how->quantile_type);
		out_u64(o, histogram_above(d, (long double)p95 * how->outliers *
		                                  (1 + ROUNDING)));
		break;
	case DEVIATION:
		out_double(o,
		           how->population ? m->population_stddev : m->stddev);
		break;
	}
}

/* Which there are ---------------------------------------------------------- */

/* `part` is of a quantile. Counts of samples have no unit. */
static void
add(struct columns_out *to, const char *name, enum what what,
    struct fraction part)
{
	bool bare = what == NUMBER || what == OUTLIERS || !*to->unit;

	header_add(&to->header, xasprintf("%s%s%s", name, bare ? "" : "_",
	                                  bare ? "" : to->unit));
	array_push(to->statistic, to->n, (struct statistic){what, part});
}

static void
add_quantile(struct columns_out *to, const char *name, struct fraction part)
{
	char *low = xasprintf("%s_lo", name), *high = xasprintf("%s_hi", name);

	add(to, name, QUANTILE, part);
	if (to->how->level.den) {
		add(to, low, LOWER_LIMIT, part);
		add(to, high, UPPER_LIMIT, part);
	}
	free(low);
	free(high);
}

static void
add_statistics(struct columns_out *to)
{
	const struct percentiles *p = &to->how->percentiles;
	const struct fraction none = {0};

	add(to, "n", NUMBER, none);
	add(to, "min", MINIMUM, none);
	if (to->how->floor) {
		/* They depend less on single samples than the minimum. */
		add_quantile(to, "p1", (struct fraction){1, 100});
		add(to, "mode", MODE, none);
	}
	add(to, "mean", MEAN, none);
	add_quantile(to, "median", (struct fraction){1, 2});
	for (size_t i = 0; i < p->n; i++) {
		bool first = 100 * p->part[i].num == p->part[i].den;
		char *name = percentile_name(p->part[i]);

		if (!to->how->floor || !first)
			add_quantile(to, name, p->part[i]);
		free(name);
	}
	add(to, "max", MAXIMUM, none);
	if (to->how->outliers > 0)
		add(to, "outliers", OUTLIERS, none);
	add(to, "stddev", DEVIATION, none);
}

/* Rows --------------------------------------------------------------------- */

static void
add_identity(struct header *h, const struct table *t, const struct columns *c)
{
	for (size_t i = 0; i < c->nkey; i++)
		header_add(h, xstrdup(t->name[c->key[i]]));
}

/* Returns whether the group is of a simulation, which nothing disturbs. */
static bool
write_identity(struct out *o, const struct table *t, const struct columns *c,
               const struct key *key)
{
	bool simulated = false;

	for (size_t i = 0; i < c->nkey; i++) {
		const char *text = key_find(key, c->key[i]);

		out_text(o, text);
		simulated |= !strcmp(t->name[c->key[i]], "kind") &&
		             !strcmp(text, "simulated");
	}
	return simulated;
}

/* Fewer samples do not show whether a run was disturbed. */
#define ENOUGH 100

/* Counts over all groups, for the warnings of pcb-stats about its samples. */
struct doubts {
	struct fraction part; /* the percentile that needs most samples */
	size_t few;           /* groups with too few samples for it */
	size_t skewed;        /* groups whose mean is above twice the median */
	double samples;
	bool said; /* the percentile is asked for, or marked in a table */
};

/* Samples of which one is beyond the percentile; 0 if none ever is. */
static uint64_t
samples_for(struct fraction part)
{
	uint64_t beyond = min_u64(part.num, part.den - part.num);

	return beyond ? (part.den + beyond - 1) / beyond : 0;
}

static void
doubt(struct doubts *to, const struct histogram *d, double mean, bool simulated)
{
	double median;

	to->few += d->n > 1 && d->n < samples_for(to->part);
	to->samples += simulated ? 0 : (double)d->n;
	if (d->n < ENOUGH || simulated)
		return;
	median = histogram_quantile(d, (struct fraction){1, 2});
	to->skewed += median > 0 && mean > 2 * median;
}

/* A number of the end line; 0 if the line lacks it. */
static double
end_number(const struct table *t, const char *key)
{
	const char *text = preamble_get(&t->end, key);
	double value;

	return text && !parse_number(text, &value) ? value : 0;
}

static void
tell_doubts(const struct doubts *d, const struct table *t, size_t groups)
{
	double switches = end_number(t, "involuntary_switches");
	double interrupts = end_number(t, "interrupts");
	char *name, *why = NULL;

	if (d->few && d->said) {
		name = percentile_name(d->part);
		warn("%s needs %ju samples, and %zu of %zu groups have fewer: "
		     "there it is near the %s (* in tables)",
		     name, (uintmax_t)samples_for(d->part), d->few, groups,
		     2 * d->part.num < d->part.den ? "minimum" : "maximum");
		free(name);
	}
	if (!d->skewed && (d->samples < ENOUGH || switches <= d->samples / 100))
		return;
	if (d->skewed)
		xappend(
		    &why, "; ",
		    "the mean of %zu of %zu groups is above twice the median",
		    d->skewed, groups);
	if (switches > 0 || interrupts > 0)
		xappend(
		    &why, "; ",
		    "%.0f interrupts, and other tasks took the CPU %.0f times",
		    interrupts, switches);
	warn("the run was disturbed: %s", why);
	free(why);
}

void
write_summary(struct out *o, const struct table *t, const struct columns *c,
              const struct groups *g, const struct summary *s)
{
	struct columns_out to = {.unit = unit_of(c->measure), .how = s};
	struct doubts doubts = {.part = {1, 1}};

	add_identity(&to.header, t, c);
	add_statistics(&to);
	for (size_t i = 0; i < s->percentiles.n; i++) {
		if (samples_for(s->percentiles.part[i]) >=
		    samples_for(doubts.part))
			doubts.part = s->percentiles.part[i];
	}
	header_write(&to.header, o);
	doubts.said = s->percentiles_given || o->format == FORMAT_TABLE ||
	              o->format == FORMAT_MD;
	for (size_t k = 0; k < g->keys.n; k++) {
		const struct histogram *d = &g->histogram[k];
		struct moments moments = histogram_moments(d);
		bool simulated = write_identity(o, t, c, &g->keys.key[k]);

		for (size_t i = 0; i < to.n; i++)
			write_cell(o, d, &moments, &to.statistic[i], s);
		doubt(&doubts, d, moments.mean, simulated);
	}
	if (!strcmp(to.unit, "ns"))
		tell_doubts(&doubts, t, g->keys.n);
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
			write_identity(o, t, c, &g->keys.key[k]);
			out_double(o, d->bin[i].value);
			out_u64(o, d->bin[i].count);
		}
	}
}
