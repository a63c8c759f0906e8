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
	const struct fraction *x = a, *y = b; /* of a struct percentile */
	uint128 left = (uint128)x->num * y->den;
	uint128 right = (uint128)y->num * x->den;

	return (left > right) - (left < right);
}

/* Named "p99_9" for 99.9. */
static const char *
add_percentage(void *to, const char *text)
{
	struct percentiles *list = to;
	struct percentile p;
	const char *why = parse_percentage(text + (*text == 'p'), &p.part);
	uint64_t unit;
	int decimals = 0;

	if (why)
		return why;
	unit = p.part.den / 100;
	for (uint64_t u = unit; u > 1; u /= 10)
		decimals++;
	snprintf(p.name, sizeof p.name, "p%ju%s%.*ju",
	         (uintmax_t)(p.part.num / unit), decimals ? "_" : "", decimals,
	         (uintmax_t)(p.part.num % unit));
	array_push(list->list, list->n, p);
	return NULL;
}

const char *
parse_percentiles(void *percentiles, const char *list)
{
	struct percentiles *p = percentiles;
	static char advice[100];
	const char *why;
	double most; /* percent */

	p->n = 0;
	why = option_each_word(list, p, add_percentage);
	if (why)
		return why;
	qsort(p->list, p->n, sizeof *p->list, by_size);
	for (size_t i = 1; i < p->n; i++) {
		if (!by_size(&p->list[i - 1], &p->list[i]))
			return "a percentage is repeated";
	}
	most = 100 * (double)p->list[p->n - 1].part.num /
	       (double)p->list[p->n - 1].part.den;
	/* "0.99" alone is often written for p99. */
	if (most <= 0 || most >= 1 || strpbrk(list, "p%"))
		return NULL;
	snprintf(advice, sizeof advice,
	         "write p%.15g, or p%.15g for less than one percent",
	         100 * most, most);
	return advice;
}

/* Cells -------------------------------------------------------------------- */

/*
 * Latencies are often quotients, as cycles over a rate: a sample of exactly
 * `outliers` times the percentile may print a rounding error above it.
 */
#define ROUNDING 1e-15L

/* Counts may exceed the whole numbers of a double. */
static void
write_count(struct out *o, const char *name, uint64_t count)
{
	char text[NUMBER_MAX];

	*print_u64(text, count) = '\0';
	OUT(o, TEXT(name, text));
}

/* The samples of a row. */
struct distribution {
	const struct histogram *d;
	double spread; /* as sequence_spread gives it */
};

/* The sample of this rank, from 1. */
static double
sample(const struct histogram *d, uint64_t rank)
{
	return rank ? histogram_nth(d, rank - 1) : NAN;
}

/*
 * The same rank of n samples as this one of `some` of them, rounded outwards
 * from the median; 0 if it is 0.
 */
static uint64_t
rank_of_all(uint64_t rank, uint64_t some, uint64_t n)
{
	return (uint64_t)((uint128)rank * ((uint128)n + 1) /
	                  ((uint128)some + 1));
}

static void
write_quantile(struct out *o, const char *name, const struct distribution *of,
               struct fraction part, const struct summary *s)
{
	const struct histogram *d = of->d;
	uint64_t n = d->n, upper;
	char *low, *high;

	OUT(o, MEASURE(name, histogram_quantile(d, part, s->quantile_type)));
	if (!s->level.den)
		return;
	low = xasprintf("%s_lo", name);
	high = xasprintf("%s_hi", name);
	if (of->spread > 1)
		n = (uint64_t)ceil((double)d->n / of->spread);
	upper = upper_limit(n, part, s->level);
	if (upper)
		upper = d->n + 1 - rank_of_all(n + 1 - upper, n, d->n);
	OUT(o,
	    MEASURE(low, sample(d, rank_of_all(lower_limit(n, part, s->level),
	                                       n, d->n))),
	    MEASURE(high, sample(d, upper)));
	free(low);
	free(high);
}

/* All but n. Returns the mean. */
static double
write_statistics(struct out *o, const struct distribution *of,
                 const struct summary *s)
{
	const struct histogram *d = of->d;
	const struct moments m = histogram_moments(d);
	const struct fraction p1 = {1, 100}, half = {1, 2}, p95 = {95, 100};

	OUT(o, MEASURE("min", sample(d, d->n > 0)));
	if (s->floor) {
		/* They depend less on single samples than the minimum. */
		write_quantile(o, "p1", of, p1, s);
		OUT(o, MEASURE("mode", histogram_mode(d)));
	}
	OUT(o, MEASURE("mean", m.mean));
	write_quantile(o, "median", of, half, s);
	for (size_t i = 0; i < s->percentiles.n; i++) {
		const struct percentile *p = &s->percentiles.list[i];

		if (by_size(&p->part, &half) &&
		    (by_size(&p->part, &p1) || !s->floor))
			write_quantile(o, p->name, of, p->part, s);
	}
	OUT(o, MEASURE("max", sample(d, d->n)));
	if (s->outliers > 0)
		write_count(o, "outliers",
		            histogram_above(d, (long double)histogram_quantile(
		                                   d, p95, s->quantile_type) *
		                                   s->outliers *
		                                   (1 + ROUNDING)));
	OUT(o,
	    MEASURE("stddev", s->population ? m.population_stddev : m.stddev));
	return m.mean;
}

/* Doubts ------------------------------------------------------------------- */

/* Fewer samples do not show whether a run was disturbed. */
#define ENOUGH 100

/* Counts over all groups, for the warnings of pcb-stats about its samples. */
struct doubts {
	const struct percentile *last; /* that needs most samples, or NULL */
	size_t few;                    /* groups with too few samples for it */
	size_t skewed; /* groups whose mean is above twice the median */
	double samples;
	struct steadiness steadiness;
};

/* Samples of which one is beyond the percentile; 0 if none ever is. */
static uint64_t
samples_for(const struct percentile *p)
{
	uint64_t beyond =
	    p ? min_u64(p->part.num, p->part.den - p->part.num) : 0;

	return beyond ? div_round_up(p->part.den, beyond) : 0;
}

static void
tell_doubts(const struct doubts *d, const struct table *t, size_t groups,
            bool shown)
{
	double switches = preamble_number(&t->end, "involuntary_switches");
	double interrupts = preamble_number(&t->end, "interrupts");
	char *why = NULL;

	if (d->few && shown)
		warn("%s needs %ju samples, and %zu of %zu groups have fewer: "
		     "there it is near the %s (* in tables)",
		     d->last->name, (uintmax_t)samples_for(d->last), d->few,
		     groups,
		     2 * d->last->part.num < d->last->part.den ? "minimum"
		                                               : "maximum");
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

static void
tell_unsteady(const struct steadiness *all, size_t groups)
{
	char *trend;

	if (!all->unsteady)
		return;
	trend = steadiness_text(all);
	warn("%zu of %zu groups are not steady: in one, %s; their intervals "
	     "are wider, as of up to %.2g times fewer samples "
	     "(%spcb-collect -r 5)",
	     all->unsteady, groups, trend, all->spread,
	     all->tenth ? "" : "pcb-collect --warmup, or ");
	free(trend);
}

/* Silence ------------------------------------------------------------------ */

/* Whether two groups differ only in column `but`. */
static bool
differ_in(const struct columns *c, const struct key *a, const struct key *b,
          size_t but)
{
	for (size_t i = 0; i < c->nkey; i++) {
		if (c->key[i] != but &&
		    strcmp(key_find(a, c->key[i]), key_find(b, c->key[i])) != 0)
			return false;
	}
	return true;
}

static double
part_of(const struct histogram *d, uint64_t tenths)
{
	return histogram_quantile(d, (struct fraction){tenths, 10},
	                          USUAL_QUANTILE);
}

/* The shortest silence whose median exceeds p90 of the group without; or n. */
static size_t
first_slow(const struct columns *c, const struct groups *g, size_t base,
           size_t column)
{
	double high = part_of(&g->histogram[base], 9), least = INFINITY;
	size_t found = g->keys.n;

	for (size_t k = 0; k < g->keys.n; k++) {
		const struct key *key = &g->keys.key[k];
		double us;

		if (k != base && g->histogram[k].n &&
		    differ_in(c, key, &g->keys.key[base], column) &&
		    !parse_number(key_find(key, column), &us) && us < least &&
		    part_of(&g->histogram[k], 5) > high) {
			least = us;
			found = k;
		}
	}
	return found;
}

/* Of pcb-collect --idle, for the first few groups without silence. */
static void
tell_silence(const struct table *t, const struct columns *c,
             const struct groups *g)
{
	ptrdiff_t column = table_find(t, "idle_us");
	ptrdiff_t by = table_find(t, "idle_by");
	const char *allowed = preamble_get(&t->preamble, "wake_us");
	const char *apst = preamble_get(&t->preamble, "apst");
	unsigned told = 0;

	for (size_t k = 0; column >= 0 && k < g->keys.n && told < 4; k++) {
		const struct key *key = &g->keys.key[k];
		const char *how = by < 0 ? "" : key_find(key, (size_t)by);
		size_t slow;

		if (strcmp(key_find(key, (size_t)column), "0") != 0)
			continue;
		slow = first_slow(c, g, k, (size_t)column);
		told++;
		if (slow < g->keys.n)
			warn("%s%safter %s us of silence the median is %.3g us "
			     "higher%s%s%s%s",
			     how, *how ? ": " : "",
			     key_find(&g->keys.key[slow], (size_t)column),
			     (part_of(&g->histogram[slow], 5) -
			      part_of(&g->histogram[k], 5)) /
			         1000,
			     allowed ? "; links may wake within, in us: " : "",
			     allowed ? allowed : "",
			     apst ? "; power states of the drive: " : "",
			     apst ? apst : "");
	}
}

/* Rows --------------------------------------------------------------------- */

static void
write_identity(struct out *o, const struct table *t, const struct columns *c,
               const struct key *key)
{
	for (size_t i = 0; i < c->nkey; i++)
		OUT(o, TEXT(t->name[c->key[i]], key_find(key, c->key[i])));
}

/*
 * A group, with the statistics of the measure, and of the other one if there
 * are rows of both. Returns the mean of the measure.
 */
static double
write_cells(struct out *o, const struct table *t, const struct columns *c,
            const struct key *key, const struct distribution *of,
            const struct histogram *other, const struct summary *s)
{
	double mean;

	write_identity(o, t, c, key);
	write_count(o, "n", of->d->n + (other ? other->n : 0));
	o->unit = unit_of(c->measure);
	mean = write_statistics(o, of, s);
	if (!other)
		return mean;
	o->unit = unit_of(c->other);
	write_statistics(o, &(struct distribution){other, 1}, s);
	return mean;
}

void
write_summary(struct out *o, const struct table *t, const struct columns *c,
              const struct groups *g, const struct groups *others,
              const struct order *order, const struct summary *s)
{
	const struct percentiles *p = &s->percentiles;
	ptrdiff_t kind = table_find(t, "kind");
	struct histogram none = {0};
	struct doubts doubts = {0};

	for (size_t i = 0; i < p->n; i++) {
		if (samples_for(&p->list[i]) >= samples_for(doubts.last))
			doubts.last = &p->list[i];
	}
	for (size_t k = 0; k < g->keys.n; k++) {
		const struct key *key = &g->keys.key[k];
		const struct histogram *d = &g->histogram[k];
		const char *of_kind =
		    kind < 0 ? "" : key_find(key, (size_t)kind);
		const struct sequence *in_order =
		    k < order->room && !order->lost ? order->of[k] : NULL;
		struct distribution of = {d, 1};
		double mean, median;

		/* Other programs may have written others in any order. */
		if (in_order && list_has("measured,virtual,simulated", of_kind))
			of.spread = sequence_spread(in_order);
		mean = write_cells(o, t, c, key, &of,
		                   others->keys.n ? &none : NULL, s);
		out_end_row(o);
		if (in_order)
			steadiness_add(&doubts.steadiness, in_order, of.spread);
		doubts.few += d->n > 1 && d->n < samples_for(doubts.last);
		/* A simulation is disturbed by nothing. */
		if (!strcmp(of_kind, "simulated"))
			continue;
		doubts.samples += (double)d->n;
		median = d->n < ENOUGH
		             ? 0
		             : histogram_quantile(d, (struct fraction){1, 2},
		                                  USUAL_QUANTILE);
		doubts.skewed += median > 0 && mean > 2 * median;
	}
	for (size_t k = 0; k < others->keys.n; k++) {
		write_cells(o, t, c, &others->keys.key[k],
		            &(struct distribution){&none, 1},
		            &others->histogram[k], s);
		out_end_row(o);
	}
	if (!o->rows)
		write_cells(o, t, c, &(struct key){0},
		            &(struct distribution){&none, 1}, NULL, s);
	tell_unsteady(&doubts.steadiness, g->keys.n);
	if (!strcmp(unit_of(c->measure), "ns"))
		tell_silence(t, c, g);
	if (!strcmp(unit_of(c->measure), "ns"))
		tell_doubts(&doubts, t, g->keys.n,
		            s->percentiles_given || is_table(o));
}

void
write_histogram(struct out *o, const struct table *t, const struct columns *c,
                const struct groups *g)
{
	for (size_t k = 0; k < g->keys.n; k++) {
		const struct histogram *d = &g->histogram[k];

		for (size_t i = 0; i < d->nbins; i++) {
			write_identity(o, t, c, &g->keys.key[k]);
			OUT(o, VALUE(c->measure, d->bin[i].value));
			write_count(o, "count", d->bin[i].count);
			out_end_row(o);
		}
	}
	if (!o->rows) {
		write_identity(o, t, c, &(struct key){0});
		OUT(o, VALUE(c->measure, 0), TEXT("count", ""));
	}
}
