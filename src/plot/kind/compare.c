/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two distributions, their difference with a band, and their quantiles. */
#include "common/base/util.h"
#include "plot/kind/kind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Number of quantiles compared. */
#define QUANTILES 200

/* Share of the width for the panel beside the others. */
#define BESIDE_PART 0.4

/* Tics on the vertical axis of a panel. */
#define TICS 5

/* Error probability of the band, both samples together: 5 %. */
#define ERROR 0.05

struct gap {
	double at, pct; /* largest distance of the curves, and its value */
};

/* The second curve minus the first, at each value of either. */
static struct gap
add_difference(struct curve *c, const struct histogram *a,
               const struct histogram *b)
{
	struct gap gap = {0};
	uint64_t below_a = 0, below_b = 0;
	size_t i = 0, k = 0;
	double pct = 0;

	while (i < a->nbins || k < b->nbins) {
		double x = i < a->nbins ? a->bin[i].value : INFINITY;

		if (k < b->nbins)
			x = fmin(x, b->bin[k].value);
		curve_add(c, x, pct);
		if (i < a->nbins && a->bin[i].value == x)
			below_a += a->bin[i++].count;
		if (k < b->nbins && b->bin[k].value == x)
			below_b += b->bin[k++].count;
		pct = 100 * ((double)below_b / (double)b->n -
		             (double)below_a / (double)a->n);
		curve_add(c, x, pct);
		if (fabs(pct) > fabs(gap.pct))
			gap = (struct gap){x, pct};
	}
	return gap;
}

/* Drops points that look the same; keeps the outermost. */
static void
thin_line(struct curve *c, const struct axis *x, const struct axis *y)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++) {
		if (n && i + 1 < c->n &&
		    fabs(axis_position(x, c->point[i].x) -
		         axis_position(x, c->point[n - 1].x)) < 5e-4 &&
		    fabs(axis_position(y, c->point[i].y) -
		         axis_position(y, c->point[n - 1].y)) < 2e-3)
			continue;
		c->point[n++] = c->point[i];
	}
	c->n = n;
}

static struct gap
draw_difference(struct picture *p, const struct groups *g, char *const name[2],
                double band)
{
	struct curve c = {0}, area = {0};
	struct gap gap = add_difference(&c, &g->histogram[0], &g->histogram[1]);
	double high = fmax(fabs(gap.pct), 100 * band), left, right;

	axis_of_samples(p, g);
	axis_plain(&p->y, "difference (%)", -high, high, 1);
	axis_few_tics(&p->y, TICS);
	thin_line(&c, &p->x, &p->y);
	/* Around 0, where the distributions do not differ. */
	left = p->x.min * p->x.unit;
	right = p->x.max * p->x.unit;
	curve_add(&area, left, -100 * band);
	curve_add(&area, right, -100 * band);
	curve_add(&area, right, 100 * band);
	curve_add(&area, left, 100 * band);
	picture_take(p, STYLE_BAND, NULL, COLOUR_NONE, &area);
	picture_take(p, STYLE_LINES, xasprintf("%s minus %s", name[1], name[0]),
	             2, &c);
	return gap;
}

/* Draws up to the larger p99.5: the maximum is a single sample. */
static void
draw_quantiles(struct picture *p, const struct groups *g, char *const name[2])
{
	struct curve c = {0}, same = {0};
	char *x_words = xasprintf("up to p99.5: %s", name[0]);
	double low, high;

	for (uint64_t i = 0; i < QUANTILES; i++) {
		struct fraction part = {i, QUANTILES};

		curve_add(&c, histogram_quantile(&g->histogram[0], part),
		          histogram_quantile(&g->histogram[1], part));
	}
	low = fmin(c.point[0].x, c.point[0].y);
	high = fmax(c.point[c.n - 1].x, c.point[c.n - 1].y);
	axis_time(&p->x, x_words, low, high, LOG_FROM * low, p->room);
	axis_time(&p->y, name[1], low, high, LOG_FROM * low, TICS);
	axis_few_tics(&p->x, p->room);
	axis_few_tics(&p->y, TICS);
	curve_add(&same, low, low);
	curve_add(&same, high, high);
	picture_take_if(p, STYLE_MODEL, "equal quantiles", COLOUR_NONE, &same);
	picture_take_if(p, STYLE_DOTS, "quantiles, each 0.5 %", 4, &c);
	free(x_words);
}

static void
draw_groups(struct picture *p, const struct groups *g,
            const struct names *names)
{
	ptrdiff_t kind = table_find(names->t, "kind");
	unsigned room = p->room;
	struct picture *beside;
	char *name[2], *at;
	double band = 0;
	struct gap gap;

	if (g->keys.n && g->keys.n != 2)
		die("compare takes two distributions, and there %s %zu; "
		    "pcb-stats --histogram -g leaves columns out",
		    g->keys.n == 1 ? "is" : "are", g->keys.n);
	if (g->keys.n && kind >= 0 &&
	    strcmp(key_find(&g->keys.key[0], (size_t)kind),
	           key_find(&g->keys.key[1], (size_t)kind)) != 0)
		die("compare: a %s and a %s distribution are not compared",
		    key_find(&g->keys.key[0], (size_t)kind),
		    key_find(&g->keys.key[1], (size_t)kind));
	if (p->wide)
		p->room = (unsigned)((1 - BESIDE_PART) * (double)room);
	axis_of_samples(p, g);
	axis_percent(&p->y, "at or below (%)");
	if (!g->keys.n)
		return;
	for (size_t i = 0; i < 2; i++)
		name[i] = names_key(names, &g->keys, i, "");
	add_curves(p, g, names);
	/*
	 * Half widths of the bands of both, by the inequality of Dvoretzky,
	 * Kiefer and Wolfowitz with Massart's constant, for independent
	 * samples. Each of the two gets half of the error.
	 */
	for (size_t i = 0; i < 2; i++)
		band += sqrt(log(4 / ERROR) / (2 * (double)g->histogram[i].n));
	gap = draw_difference(picture_below(p), g, name, band);
	/* Quantiles are beside the other panels if there is room. */
	beside = picture_below(p);
	beside->beside = p->wide;
	beside->room = p->wide ? (unsigned)(BESIDE_PART * (double)room) : room;
	draw_quantiles(beside, g, name);
	at = time_words(gap.at);
	p->note = xasprintf(
	    "%s: furthest apart by %.3g %% at %s; the band is %.3g %% wide on "
	    "each side (DKW, 95 %%, of independent samples)",
	    fabs(gap.pct) > 100 * band ? "they differ" : "not shown to differ",
	    fabs(gap.pct), at, 100 * band);
	free(at);
	for (size_t i = 0; i < 2; i++)
		free(name[i]);
}

const struct kind kind_compare = {
    .name = "compare",
    .help = "two distributions, their difference and their quantiles",
    .draw_groups = draw_groups,
    .pooled = true,
};
