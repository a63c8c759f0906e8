/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Distributions as curves: cdf, and percentiles in nines. */
#include "common/base/util.h"
#include "common/stream/columns.h"
#include "plot/kind/kind.h"
#include "plot/picture/drawing.h"

#include <math.h>

/* Samples ------------------------------------------------------------------ */

/* A histogram and a curve, with a name, for each key. */
struct samples {
	struct groups groups;
	struct curve *curve;
	uint64_t n;
};

/* Half of the samples are not above it; of 1000, 999. */
static double
median_of(const struct histogram *d)
{
	return percentile(d, 50);
}

static double
tail_of(const struct histogram *d)
{
	return histogram_quantile(d, (struct fraction){999, 1000},
	                          USUAL_QUANTILE);
}

/* "median 1.2 us to 1.3 us, p99.9 5 us (cache cold)" */
static char *
finding(const struct samples *s)
{
	double low = INFINITY, high = 0, tail = 0;
	char *text, *words;
	size_t worst = 0;

	if (!s->groups.keys.n)
		return NULL;
	for (size_t i = 0; i < s->groups.keys.n; i++) {
		const struct histogram *d = &s->groups.histogram[i];

		low = fmin(low, median_of(d));
		high = fmax(high, median_of(d));
		if (tail_of(d) > tail) {
			tail = tail_of(d);
			worst = i;
		}
	}
	text = time_words(low);
	words = xasprintf("median %s", text);
	free(text);
	text = time_words(high);
	if (high > low)
		xappend(&words, "", " to %s", text);
	free(text);
	text = time_words(tail);
	xappend(&words, ", ", "p99.9 %s", text);
	if (s->groups.keys.n > 1)
		xappend(&words, "", " (%s)", whole_name(&s->curve[worst]));
	free(text);
	return words;
}

/* Reads all rows with the measure `latency_ns`, or of -c; sets the titles. */
static void
read_samples(struct samples *s, struct picture *p, struct table *t)
{
	const char *const measures[] = {
	    p->measure ? foreign_name(p->measure) : "latency_ns", NULL};
	struct row_reader rows = {.measures = measures, .lacking = measures[0]};
	char *what = column_words(measures[0]);
	struct names names;
	double *median;

	if (strcmp(unit_of(measures[0]), "ns") != 0)
		die("-c %s: not a time, whose name ends in _ns, _us, _ms or _s",
		    measures[0]);
	read_groups(&s->groups, &rows, t);
	median = xcalloc(s->groups.keys.n + 1, sizeof *median);
	for (size_t i = 0; i < s->groups.keys.n; i++) {
		median[i] = median_of(&s->groups.histogram[i]);
		s->n += s->groups.histogram[i].n;
	}
	names = names_of(t, &s->groups.keys);
	s->curve = named_curves(&names, &s->groups.keys, false, median, "");
	p->finding = finding(s);
	names_describe(&names, p, what);
	if (s->n)
		xappend(&p->subtitle, ", ", "%ju sample%s", (uintmax_t)s->n,
		        s->n == 1 ? "" : "s");
	say_runs(p, &rows);
	free(what);
	free(median);
	names_free(&names);
	row_reader_free(&rows);
}

/* Ends with names in the order of the medians, which follow them. */
static void
put_samples(struct picture *p, struct samples *s)
{
	size_t n = s->groups.keys.n;
	struct end *end = xcalloc(n + 1, sizeof *end);
	size_t named = 0;

	put_series(p, s->curve, n);
	for (size_t i = 0; i < n; i++) {
		const struct curve *c = &s->curve[i];
		double median = median_of(&s->groups.histogram[i]);
		char *time = time_words(median);

		if (c->name)
			end[named++] = (struct end){
			    .y = median,
			    .name = c->thin ? xstrdup(c->name)
			            : *c->name
			                ? xasprintf("%s: %s", c->name, time)
			                : xstrdup(time),
			    .look = look_of(c),
			    .dash = fmod(look_of(c) - 1, 5) + 1};
		free(time);
	}
	put_ends(p, end, named);
	p->empty = !n;
	for (size_t i = 0; i < n; i++) {
		free(s->curve[i].name);
		free(s->curve[i].whole);
	}
	free(end);
	free(s->curve);
	groups_free(&s->groups);
}

/* Axis -------------------------------------------------------------------- */

/* The body of a distribution ends below this many typical values. */
#define BODY_MOST 8

/* Range of the samples of all groups; 0 without groups. */
struct extent {
	double low, high;
	double typical;    /* the lowest median, which must be visible */
	uint64_t most;     /* samples of a group; at least 1 */
	double body;       /* highest value of the percentile below */
	unsigned promille; /* in per mille; 0: even p90 is not near */
};

static struct extent
extent_of(const struct groups *g)
{
	static const unsigned promille[] = {999, 990, 950, 900};
	struct extent e = {INFINITY, -INFINITY, INFINITY, 1, 0, 0};

	if (!g->keys.n)
		return (struct extent){.most = 1};
	for (size_t i = 0; i < g->keys.n; i++) {
		const struct histogram *d = &g->histogram[i];

		e.low = fmin(e.low, histogram_nth(d, 0));
		e.high = fmax(e.high, histogram_nth(d, d->n - 1));
		e.typical = fmin(e.typical, percentile(d, 50));
		e.most = d->n > e.most ? d->n : e.most;
	}
	for (size_t k = 0; k < ARRAY_LEN(promille) && !e.promille; k++) {
		struct fraction part = {promille[k], 1000};

		e.body = -INFINITY;
		for (size_t i = 0; i < g->keys.n; i++)
			e.body = fmax(e.body,
			              histogram_quantile(&g->histogram[i], part,
			                                 USUAL_QUANTILE));
		if (e.body <= BODY_MOST * e.typical)
			e.promille = promille[k];
	}
	return e;
}

/*
 * A horizontal axis for all samples. It ends above the highest p99.9, p99, p95
 * or p90, whichever is the first near the lowest median, if the tail would take
 * more than half of it: a note says what is beyond.
 */
static struct scale
scale_of_samples(struct picture *p, const struct groups *g)
{
	struct extent e = extent_of(g);
	double end = e.body + 0.05 * (e.body - e.low);
	bool cut = !p->x.range && !p->x.log && e.promille;

	if (!(end > e.low))
		end = e.low + 0.05 * fabs(e.low);
	cut = cut && e.high - e.low > 2 * (end - e.low);
	if (cut) {
		char *most = time_words(e.high);

		p->note = xasprintf("to the right of the axis: up to %.3g %%, "
		                    "at most %s",
		                    (1000 - e.promille) / 10.0, most);
		free(most);
	}
	return choose_scale(p, false, "ns", e.low, cut ? end : e.high,
	                    cut ? INFINITY : LOG_FROM * e.typical);
}

/* cdf ---------------------------------------------------------------------- */

/* Marks of a curve for the pointer are at least this part of an axis apart. */
#define TIPS_APART 0.004

/*
 * The corners of a distribution's steps; those that change the curve by less
 * than half a dot are left out.
 */
static void
put_steps(struct picture *p, const struct histogram *d, const struct scale *x,
          const struct curve *c)
{
	double dx = 0.5 / p->width, dy = 0.5 / p->height, at = -1, up = 0;
	double above = 0, tip = -1;
	uint64_t sum = 0;

	POINT(p, d->bin[0].value / x->unit, 0);
	for (size_t i = 0; i < d->nbins; i++) {
		double value = d->bin[i].value, here, below;
		bool last = i + 1 == d->nbins;

		sum += d->bin[i].count;
		below = 100 * (double)sum / (double)d->n;
		here = scale_position(x, value);
		/* The step is too low, or too close to the one before. */
		if (!last && (below / 101 - up < dy || here - at < dx))
			continue;
		POINT(p, value / x->unit, above);
		POINT(p, value / x->unit, below);
		if (here - tip > TIPS_APART || below / 101 - up > TIPS_APART ||
		    last) {
			char *time = time_words(value);
			struct place tip_at = AT(value / x->unit, below);

			tip_at.look = look_of(c);
			add_tip(p, tip_at, whole_name(c),
			        "%.6g %% at or below %s", below, time);
			tip = here;
			free(time);
		}
		above = below;
		at = here;
		up = below / 101;
	}
	if (d->bin[d->nbins - 1].value < x->high)
		POINT(p, x->high / x->unit, 100);
}

static void
draw_cdf(struct picture *p, struct table *t)
{
	struct samples s = {0};
	struct scale x;

	if (p->y.log)
		die("--log y: pct has such an axis");
	read_samples(&s, p, t);
	x = scale_of_samples(p, &s.groups);
	put_scale(p, false, &x, "latency");
	put_number(p, "ylo", p->y.range ? p->y.low : 0);
	put_number(p, "yhi", p->y.range ? p->y.high : 101);
	put_number(p, "ylog", 0);
	put_text(p, "ylabel", "samples at or below (%)");
	put_number(p, "nines", 0);
	block_begin(p, "rows");
	for (size_t i = 0; i < s.groups.keys.n; i++) {
		if (i)
			block_next(p);
		put_steps(p, &s.groups.histogram[i], &x, &s.curve[i]);
	}
	block_end(p);
	put_samples(p, &s);
}

const struct kind kind_cdf = {
    .name = "cdf",
    .help = "share of samples at or below a latency",
    .takes = TAKES_AXES | TAKES_COLUMN,
    .draw = draw_cdf,
    .template = "cdf",
};

/* pct ---------------------------------------------------------------------- */

/* Adds steps that are wide enough to see, each as high as its last value. */
static void
put_percentiles(struct picture *p, const struct histogram *d,
                const struct scale *x, const struct scale *y,
                const struct curve *c)
{
	double narrowest = 0.5 / p->width, begin = 1, end;
	uint64_t left = d->n;

	for (size_t i = 0; i < d->nbins; i++) {
		double value = d->bin[i].value;
		struct place at;
		char *time;

		left -= d->bin[i].count;
		/* One in how many samples is above, at least the last. */
		end =
		    left ? (double)d->n / (double)left : fmax((double)d->n, 2);
		if (left && scale_position(x, end) - scale_position(x, begin) <
		                narrowest)
			continue;
		POINT(p, begin, value / y->unit);
		POINT(p, end, value / y->unit);
		time = time_words(value);
		at = SPAN(begin, end, value / y->unit);
		at.look = look_of(c);
		add_tip(p, at, whole_name(c), "%.6g %% at or below %s",
		        100 * (double)(d->n - left) / (double)d->n, time);
		free(time);
		begin = end;
	}
}

/* The axis is 1 / (1 - percentile): 0 % is at 1, 90 % at 10, 99 % at 100. */
static void
draw_pct(struct picture *p, struct table *t)
{
	struct samples s = {0};
	struct scale x = {.low = 1, .unit = 1, .log = 10, .unit_name = "%"}, y;
	struct extent e;

	read_samples(&s, p, t);
	e = extent_of(&s.groups);
	x.high = 1.2 * fmax((double)e.most, 10);
	if (p->x.range) {
		x.low = p->x.low;
		x.high = p->x.high;
	}
	y = choose_scale(p, true, "ns", e.low, e.high,
	                 LOG_TAIL_FROM * e.typical);
	put_scale(p, false, &x, "samples at or below");
	put_scale(p, true, &y, "latency");
	put_number(p, "nines", 1);
	block_begin(p, "rows");
	for (size_t i = 0; i < s.groups.keys.n; i++) {
		if (i)
			block_next(p);
		put_percentiles(p, &s.groups.histogram[i], &x, &y, &s.curve[i]);
	}
	block_end(p);
	put_samples(p, &s);
}

const struct kind kind_pct = {
    .name = "pct",
    .help = "latency at each percentile: 50, 90, 99, 99.9 and so on",
    .takes = TAKES_AXES | TAKES_COLUMN,
    .draw = draw_pct,
    .template = "cdf",
};
