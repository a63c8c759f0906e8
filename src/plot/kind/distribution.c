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
	draw_samples(p, t, false, draw_cdf_groups);
}

const struct kind kind_cdf = {
    .name = "cdf",
    .help = "share of samples at or below a latency",
    .draw = draw_cdf,
};

/* ccdf --------------------------------------------------------------------- */

static uint64_t
most_samples(const struct groups *g)
{
	uint64_t most = 1;

	for (size_t i = 0; i < g->keys.n; i++) {
		if (g->histogram[i].n > most)
			most = g->histogram[i].n;
	}
	return most;
}

static void
draw_ccdf_groups(struct picture *p, const struct groups *g,
                 const struct names *names)
{
	axis_of_samples(p, g, TAIL_ALIKE);
	axis_tail(&p->y, "samples above (%)", 100 / (double)most_samples(g),
	          p->room_y);
	add_curves(p, g, names, STEPS_ABOVE);
}

static void
draw_ccdf(struct picture *p, struct table *t)
{
	draw_samples(p, t, false, draw_ccdf_groups);
}

const struct kind kind_ccdf = {
    .name = "ccdf",
    .help = "the tail: share of samples above a latency, on a log scale",
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
choose_axes(struct picture *p, const struct groups *g)
{
	double low = INFINITY, high = -INFINITY, typical = INFINITY;
	uint64_t most = 1;

	for (size_t i = 0; i < g->keys.n; i++) {
		const struct histogram *d = &g->histogram[i];

		low = fmin(low, histogram_nth(d, 0));
		high = fmax(high, histogram_nth(d, d->n - 1));
		typical = fmin(typical,
		               histogram_quantile(d, (struct fraction){1, 2}));
		most = d->n > most ? d->n : most;
	}
	if (!g->keys.n)
		low = high = typical = 0;
	axis_nines(&p->x, "samples at or below (%)", (double)most, p->room);
	axis_time(&p->y, "latency", low, high, LOG_FROM * typical, p->room_y);
}

static void
draw_pct_groups(struct picture *p, const struct groups *g,
                const struct names *names)
{
	struct sample_curve *curve = sample_curves_of(names, g);

	choose_axes(p, g);
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
	draw_samples(p, t, false, draw_pct_groups);
}

const struct kind kind_pct = {
    .name = "pct",
    .help = "latency at each percentile: 50, 90, 99, 99.9 and so on",
    .draw = draw_pct,
};
