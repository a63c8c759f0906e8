/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Histograms: the part of the samples in each bin of latency. */
#include "common/base/util.h"
#include "plot/kind/kind.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Bins per tic of the axis. */
#define BINS 6

/* Bins of the whole axis if there are few values. */
#define SPARSE_BINS 8

/* Bins of fewer ticks are aligned to ticks; from so many, one is not seen. */
#define UNEVEN_TICKS 10
#define UNSEEN_TICKS 100

/* Three decimals round a tick of 1/4 ns by at most this part of it. */
#define TICK_ROUNDING 500

/* Areas of more histograms would hide each other. */
#define AREAS_MOST 4

/* Edges of bins: `first`, then each one `step` further. */
struct bins {
	double first;
	double step; /* added, or a factor if logarithmic */
	bool log;
	double tick, value; /* if not 0, edges are midway between ticks */
	size_t n;
};

/* The smallest distance of two distinct values. */
static double
nearest(const struct groups *g)
{
	double least = INFINITY;

	for (size_t i = 0; i < g->keys.n; i++) {
		const struct histogram *d = &g->histogram[i];

		for (size_t k = 1; k < d->nbins; k++)
			least =
			    fmin(least, d->bin[k].value - d->bin[k - 1].value);
	}
	return least;
}

/* Whether values are whole ticks apart, except rounding. */
static bool
all_on_ticks(const struct groups *g, double tick)
{
	for (size_t i = 0; i < g->keys.n; i++) {
		const struct histogram *d = &g->histogram[i];

		for (size_t k = 1; k < d->nbins; k++) {
			double gap = d->bin[k].value - d->bin[k - 1].value;

			if (fabs(remainder(gap, tick)) > tick / 4)
				return false;
		}
	}
	return true;
}

static struct bins
linear_bins(const struct groups *g, double low, double high, size_t most)
{
	double least = (high - low) / (double)most;
	double tick = nearest(g);
	struct bins b = {.step = round_up(least)};
	double ticks = b.step / tick, few = tick / (high - low) * SPARSE_BINS;

	/*
	 * Bins that are no multiple of the clock's tick would hold one tick
	 * here and two there, or 12 and 13, which looks like peaks.
	 */
	if (isfinite(tick) && ticks < UNSEEN_TICKS &&
	    (ticks < UNEVEN_TICKS ||
	     (fabs(ticks - round(ticks)) > ticks / TICK_ROUNDING &&
	      all_on_ticks(g, tick)))) {
		/* Of whole ticks, or of an odd part of a tick. */
		b.step = few > 2 ? tick / (2 * floor(few / 2) + 1)
		                 : tick * ceil(least / tick);
		b.first =
		    histogram_nth(&g->histogram[0], 0) - fmin(tick, b.step) / 2;
		b.first -= b.step * ceil((b.first - low) / b.step);
	} else {
		b.first = b.step * floor(low / b.step);
	}
	b.n = (size_t)ceil((high - b.first) / b.step) + 1;
	return b;
}

/* Where a tick is wider than a bin, several edges coincide. */
static struct bins
log_bins(const struct groups *g, double low, double high, size_t most)
{
	struct bins b = {.first = low,
	                 .step = exp((log(high) - log(low)) / (double)most),
	                 .log = true,
	                 .n = most};
	double tick = nearest(g);

	/* Few values are always on some ticks. */
	if (g->histogram[0].nbins >= UNEVEN_TICKS &&
	    low * (b.step - 1) < tick * UNEVEN_TICKS && all_on_ticks(g, tick)) {
		b.tick = tick;
		b.value = histogram_nth(&g->histogram[0], 0);
	}
	return b;
}

static double
edge(const struct bins *b, size_t i)
{
	double at;

	if (!b->log)
		return b->first + b->step * (double)i;
	/* The product may be in range even if the power is not. */
	at = exp(log(b->first) + (double)i * log(b->step));
	if (b->tick > 0)
		at = b->value +
		     b->tick * (round((at - b->value) / b->tick) - .5);
	return fmin(fmax(at, b->first / 2), DBL_MAX);
}

/* Shows the first and the last bin whole, unless the axis is cut off. */
static void
widen_axis(struct axis *a, const struct groups *g, const struct bins *b)
{
	struct extent e = extent_of(g);
	size_t last = 1;

	if (e.low < edge(b, 1))
		a->min = fmin(a->min, edge(b, 0) / a->unit);
	if (e.high / a->unit >= a->max)
		return;
	while (e.high >= edge(b, last))
		last++;
	a->max = fmax(a->max, edge(b, last) / a->unit);
}

/* Outline of a histogram, without samples beyond the last bin. */
static void
add_outline(struct curve *c, const struct histogram *d, const struct bins *b)
{
	size_t k = 0;

	curve_add(c, edge(b, 0), 0);
	for (size_t i = 0; i < b->n; i++) {
		/* In steps; 0 if edges coincide. */
		double wide = b->tick > 0 ? log(edge(b, i + 1) / edge(b, i)) /
		                                log(b->step)
		                          : 1;
		uint64_t count = 0;

		for (; k < d->nbins && d->bin[k].value < edge(b, i + 1); k++)
			count += d->bin[k].count;
		if (wide > 0)
			curve_add(c, edge(b, i),
			          100 * (double)count / (double)d->n / wide);
	}
	curve_add(c, edge(b, b->n), 0);
}

static void
add_histograms(struct picture *p, const struct groups *g,
               const struct names *names)
{
	double low = p->x.min * p->x.unit;
	double high = fmin(p->x.max * p->x.unit, DBL_MAX);
	size_t most = BINS * (size_t)p->room;
	struct bins b = p->x.log ? log_bins(g, low, high, most)
	                         : linear_bins(g, low, high, most);
	struct curve *curve = sample_curves_of(names, g);
	struct value_range y = {INFINITY, 0}; /* without empty bins */
	char *label;

	if (!p->x.wish.range)
		widen_axis(&p->x, g, &b);
	for (size_t i = 0; i < g->keys.n; i++) {
		add_outline(&curve[i], &g->histogram[i], &b);
		for (size_t k = 0; k < curve[i].n; k++) {
			double height = curve[i].point[k].y;

			if (height > 0)
				y.low = fmin(y.low, height);
			y.high = fmax(y.high, height);
		}
	}
	label = b.log ? xasprintf("samples per step of %.2g %% (%%)",
	                          100 * (b.step - 1))
	              : xasprintf("samples per %.4g %s (%%)",
	                          b.step / p->x.unit, p->x.unit_name);
	axis_from_zero(&p->y, label, y.low / 2, y.high, p->room_y);
	free(label);
	for (size_t i = 0; i < g->keys.n; i++) {
		struct curve area = {0};

		/* A logarithm never reaches 0: such bars end at the axis. */
		for (size_t k = 0; p->y.log && k < curve[i].n; k++)
			curve[i].point[k].y =
			    fmax(curve[i].point[k].y, p->y.min);
		if (g->keys.n > AREAS_MOST)
			continue;
		curve_corners(&area, &curve[i]);
		picture_take(p, STYLE_BAND, NULL, curve[i].colour, &area);
	}
	take_samples(p, STYLE_STEPS, curve, g->keys.n);
}

static void
draw_groups(struct picture *p, const struct groups *g,
            const struct names *names)
{
	axis_of_samples(p, g, TAIL_CUT);
	if (g->keys.n)
		add_histograms(p, g, names);
	else
		axis_percent(&p->y, "samples (%)");
}

const struct kind kind_hist = {
    .name = "hist",
    .help = "histograms: share of samples in each bin of latency",
    .takes = TAKES_AXES | TAKES_COLUMN,
    .draw_groups = draw_groups,
};
