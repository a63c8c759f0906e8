/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Distributions as curves: cdf, and percentiles in nines. */
#include "common/base/util.h"
#include "common/stream/columns.h"
#include "plot/kind/kind.h"

#include <math.h>

/* Samples ------------------------------------------------------------------ */

/* A histogram and a curve, with a name, for each key. */
struct samples {
	struct groups groups;
	struct curve *curve;
};

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
	uint64_t n = 0;

	if (strcmp(unit_of(measures[0]), "ns") != 0)
		die("-c %s: not a time, whose name ends in _ns, _us, _ms or _s",
		    measures[0]);
	read_groups(&s->groups, &rows, t);
	median = xcalloc(s->groups.keys.n + 1, sizeof *median);
	for (size_t i = 0; i < s->groups.keys.n; i++) {
		median[i] = percentile(&s->groups.histogram[i], 50);
		n += s->groups.histogram[i].n;
	}
	names = names_of(t, &s->groups.keys);
	names_describe(&names, p, what);
	if (n)
		xappend(&p->subtitle, ", ", "%ju sample%s", (uintmax_t)n,
		        n == 1 ? "" : "s");
	say_runs(p, &rows);
	s->curve = named_curves(&names, &s->groups.keys, false, median, "");
	free(what);
	free(median);
	names_free(&names);
	row_reader_free(&rows);
}

/* Moves the curves, which have points now, to the picture. */
static void
take_samples(struct samples *s, struct picture *p, enum style style)
{
	for (size_t i = 0; i < s->groups.keys.n; i++) {
		s->curve[i].style = style;
		array_push(p->curve, p->n, s->curve[i]);
	}
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
 * A horizontal axis for all samples, logarithmic for their tail. That starts
 * above the highest p99.9, p99, p95 or p90, whichever is the first near the
 * lowest median, if it would take more than half of the axis. An axis without
 * a tail is logarithmic if the largest sample is over LOG_FROM times the lowest
 * median.
 */
static void
axis_of_samples(struct picture *p, const struct groups *g)
{
	struct extent e = extent_of(g);
	double end = e.body + 0.05 * (e.body - e.low);

	if (!(end > e.low))
		end = e.low + 0.05 * fabs(e.low);
	if (p->x.wish.range || p->x.wish.log || !e.promille ||
	    e.high - e.low <= 2 * (end - e.low))
		axis_values(&p->x, "latency", "ns", e.low, e.high,
		            LOG_FROM * e.typical, p->room);
	else
		axis_long_tail(&p->x, "latency", e.low, end, e.high, p->room);
}

/* cdf ---------------------------------------------------------------------- */

static void
draw_cdf(struct picture *p, struct table *t)
{
	struct samples s = {0};

	read_samples(&s, p, t);
	axis_of_samples(p, &s.groups);
	axis_percent(&p->y, "samples at or below (%)");
	for (size_t i = 0; i < s.groups.keys.n; i++)
		add_steps(&s.curve[i], &s.groups.histogram[i], p);
	take_samples(&s, p, STYLE_STEPS);
}

const struct kind kind_cdf = {
    .name = "cdf",
    .help = "share of samples at or below a latency",
    .takes = TAKES_AXES | TAKES_COLUMN,
    .draw = draw_cdf,
};

/* pct ---------------------------------------------------------------------- */

/*
 * Percentiles in nines, up to one in `most`: the axis is 1 / (1 - percentile),
 * logarithmic, so that 0 % is at 1, 90 % at 10 and 99 % at 100.
 */
static void
axis_nines(struct axis *a, double most, unsigned room)
{
	int decades = (int)ceil(log10(fmax(most, 10)));
	int every = 1 + decades / (int)(room ? room : 1);
	char label[24];

	a->label = xstrdup("samples at or below (%)");
	a->unit = 1;
	a->log = 10;
	a->min = 1;
	a->max = 1.2 * fmax(most, 10);
	axis_tic(a, 1, "0");
	if (every == 1)
		axis_tic(a, 2, "50");
	for (int e = 1; e <= decades; e += every) {
		snprintf(label, sizeof label, "%.*f", e > 2 ? e - 2 : 0,
		         100 - 100 / pow(10, e));
		if (pow(10, e) <= a->max)
			axis_tic(a, pow(10, e), label);
	}
}

/* Adds steps that are wide enough to see, each as high as its last value. */
static void
add_percentiles(struct curve *c, const struct histogram *d,
                const struct picture *p)
{
	double narrowest = 0.5 / p->width, begin = 1, end;
	uint64_t left = d->n;

	for (size_t i = 0; i < d->nbins; i++) {
		left -= d->bin[i].count;
		/* One in how many samples is above, at least the last. */
		end =
		    left ? (double)d->n / (double)left : fmax((double)d->n, 2);
		if (left &&
		    axis_position(&p->x, end) - axis_position(&p->x, begin) <
		        narrowest)
			continue;
		for (int side = 0; side < 2; side++) {
			char *time = time_words(d->bin[i].value);

			curve_add(c, side ? end : begin, d->bin[i].value);
			curve_say(c, xasprintf("%.6g %% at or below %s",
			                       100 * (double)(d->n - left) /
			                           (double)d->n,
			                       time));
			free(time);
		}
		begin = end;
	}
}

static void
draw_pct(struct picture *p, struct table *t)
{
	struct samples s = {0};
	struct extent e;

	read_samples(&s, p, t);
	e = extent_of(&s.groups);
	axis_nines(&p->x, (double)e.most, p->room);
	axis_values(&p->y, "latency", "ns", e.low, e.high,
	            LOG_TAIL_FROM * e.typical, p->room_y);
	for (size_t i = 0; i < s.groups.keys.n; i++)
		add_percentiles(&s.curve[i], &s.groups.histogram[i], p);
	take_samples(&s, p, STYLE_LINES);
}

const struct kind kind_pct = {
    .name = "pct",
    .help = "latency at each percentile: 50, 90, 99, 99.9 and so on",
    .takes = TAKES_AXES | TAKES_COLUMN,
    .draw = draw_pct,
};
