/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Distributions as curves: cdf, and percentiles in nines. */
#include "common/base/util.h"
#include "plot/kind/kind.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* cdf ---------------------------------------------------------------------- */

static void
draw_cdf(struct picture *p, const struct groups *g, const struct names *names)
{
	axis_of_samples(p, g);
	axis_percent(&p->y, "samples at or below (%)");
	add_curves(p, g, names);
}

const struct kind kind_cdf = {
    .name = "cdf",
    .help = "share of samples at or below a latency",
    .takes = TAKES_AXES | TAKES_COLUMN,
    .draw_groups = draw_cdf,
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
draw_pct(struct picture *p, const struct groups *g, const struct names *names)
{
	struct curve *curve = sample_curves_of(names, g);
	struct extent e = extent_of(g);

	axis_nines(&p->x, (double)e.most, p->room);
	axis_values(&p->y, "latency", "ns", e.low, e.high,
	            LOG_TAIL_FROM * e.typical, p->room_y);
	for (size_t i = 0; i < g->keys.n; i++)
		add_percentiles(&curve[i], &g->histogram[i], p);
	take_samples(p, STYLE_LINES, curve, g->keys.n);
}

const struct kind kind_pct = {
    .name = "pct",
    .help = "latency at each percentile: 50, 90, 99, 99.9 and so on",
    .takes = TAKES_AXES | TAKES_COLUMN,
    .draw_groups = draw_pct,
};
