/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Distributions as curves: cdf, its tail ccdf, and percentiles in nines. */
#include "common/base/util.h"
#include "plot/data/samples.h"
#include "plot/kind/kind.h"

#include <math.h>
#include <stdlib.h>

/* cdf ---------------------------------------------------------------------- */

static void
draw_cdf_groups(struct picture *p, const struct groups *g,
                const struct names *names)
{
	axis_of_samples(p, g, TAIL_LOG);
	axis_percent(&p->y, "samples at or below (%)");
	add_curves(p, g, names, STEPS_BELOW);
}

static void
draw_cdf(struct picture *p, struct table *t)
{
	draw_samples(p, t, RUNS_ALIKE, draw_cdf_groups);
}

const struct kind kind_cdf = {
    .name = "cdf",
    .help = "share of samples at or below a latency",
    .takes = TAKES_AXES | TAKES_COLUMN,
    .draw = draw_cdf,
};

/* ccdf --------------------------------------------------------------------- */

static void
draw_ccdf_groups(struct picture *p, const struct groups *g,
                 const struct names *names)
{
	axis_of_samples(p, g, TAIL_ALIKE);
	axis_tail(&p->y, "samples above (%)", 100 / (double)extent_of(g).most,
	          p->room_y);
	add_curves(p, g, names, STEPS_ABOVE);
}

static void
draw_ccdf(struct picture *p, struct table *t)
{
	draw_samples(p, t, RUNS_ALIKE, draw_ccdf_groups);
}

const struct kind kind_ccdf = {
    .name = "ccdf",
    .help = "the tail: share of samples above a latency, on a log scale",
    .takes = TAKES_AXES | TAKES_COLUMN,
    .draw = draw_ccdf,
};

/* pct ---------------------------------------------------------------------- */

/* One in how many samples is above the first `sum`, at least the last. */
static double
one_in(const struct histogram *d, uint64_t sum)
{
	double n = (double)d->n;

	return sum == d->n ? n : n / (double)(d->n - sum);
}

/* Adds steps that are wide enough to see, each as high as its last value. */
static void
add_percentiles(struct curve *c, const struct histogram *d,
                const struct picture *p)
{
	double narrowest = 0.5 / p->width;
	double begin = 1;
	uint64_t sum = 0;

	for (size_t i = 0; i < d->nbins; i++) {
		double end;

		sum += d->bin[i].count;
		end = one_in(d, sum);
		if (i + 1 < d->nbins &&
		    axis_position(&p->x, end) - axis_position(&p->x, begin) <
		        narrowest)
			continue;
		curve_add(c, begin, d->bin[i].value);
		curve_add(c, end, d->bin[i].value);
		begin = end;
	}
}

static void
draw_pct_groups(struct picture *p, const struct groups *g,
                const struct names *names)
{
	struct sample_curve *curve = sample_curves_of(names, g);
	struct extent e = extent_of(g);

	axis_nines(&p->x, "samples at or below (%)", (double)e.most, p->room);
	axis_time(&p->y, "latency", e.low, e.high, LOG_FROM * e.typical,
	          p->room_y);
	for (size_t i = 0; i < g->keys.n; i++) {
		struct curve *c = picture_add(p, STYLE_LINES, curve[i].name);

		c->colour = curve[i].colour;
		c->thin = curve[i].thin;
		add_percentiles(c, &g->histogram[i], p);
	}
	free(curve);
}

static void
draw_pct(struct picture *p, struct table *t)
{
	draw_samples(p, t, RUNS_ALIKE, draw_pct_groups);
}

const struct kind kind_pct = {
    .name = "pct",
    .help = "latency at each percentile: 50, 90, 99, 99.9 and so on",
    .takes = TAKES_AXES,
    .draw = draw_pct,
};
