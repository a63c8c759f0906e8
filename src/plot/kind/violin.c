/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shapes of many distributions as rows: unlike a box, they show peaks. */
#include "common/base/util.h"
#include "plot/data/row_order.h"
#include "plot/data/sample_groups.h"
#include "plot/kind/kind.h"
#include "plot/picture/category_axis.h"

#include <math.h>
#include <stdlib.h>

/* Places along the axis where the density is computed. */
#define PLACES 240

/* Distance over which a sample counts, as a part of the axis. */
#define LEAST_REACH 0.006

/* Half the height of the densest place; a row is 1 high. */
#define HALF 0.42

/* The largest distance of clock ticks on the axis near a value. */
static double
tick_at(const struct picture *p, const struct histogram *d, size_t i)
{
	double before = i ? axis_position(&p->x, d->bin[i].value) -
	                        axis_position(&p->x, d->bin[i - 1].value)
	                  : INFINITY;
	double behind = i + 1 < d->nbins
	                    ? axis_position(&p->x, d->bin[i + 1].value) -
	                          axis_position(&p->x, d->bin[i].value)
	                    : INFINITY;

	return fmin(before, behind);
}

/* The reach of a sample: at least one tick of the clock near the median. */
static double
reach_of(const struct picture *p, const struct histogram *d)
{
	double least = INFINITY;

	for (size_t i = 0; i < d->nbins; i++)
		least = fmin(least, tick_at(p, d, i));
	return isfinite(least) && least < 0.05 ? fmax(least, LEAST_REACH)
	                                       : LEAST_REACH;
}

/* Spreads the samples of one value over the places in reach. */
static void
spread(double density[PLACES], double at, double reach, double count)
{
	int first = (int)ceil((at - reach) * (PLACES - 1));
	int last = (int)floor((at + reach) * (PLACES - 1));

	for (int i = first < 0 ? 0 : first; i <= last && i < PLACES; i++) {
		double far = fabs((double)i / (PLACES - 1) - at) / reach;

		density[i] += count * (1 - far);
	}
}

/* The outline: along the upper edge and back along the lower one. */
static void
add_outline(struct curve *c, const struct axis *a, size_t row,
            const double density[PLACES])
{
	double most = 0;
	int first = 0, last = PLACES - 1;

	while (first < last && !(density[first] > 0))
		first++;
	while (last > first && !(density[last] > 0))
		last--;
	for (int i = first; i <= last; i++)
		most = fmax(most, density[i]);
	for (int i = first; i <= last; i++)
		curve_add(c, axis_value(a, (double)i / (PLACES - 1)),
		          (double)row + 1 - HALF * density[i] / most);
	for (int i = last; i >= first; i--)
		curve_add(c, axis_value(a, (double)i / (PLACES - 1)),
		          (double)row + 1 + HALF * density[i] / most);
	curve_add(c, NAN, 0);
}

static void
add_violin(struct picture *p, size_t row, const struct histogram *d,
           struct curve *shape, struct curve *median)
{
	double density[PLACES] = {0};
	double reach = reach_of(p, d);
	double middle = histogram_quantile(d, (struct fraction){1, 2});

	for (size_t i = 0; i < d->nbins; i++)
		spread(density, axis_position(&p->x, d->bin[i].value), reach,
		       (double)d->bin[i].count);
	add_outline(shape, &p->x, row, density);
	add_stroke(median, row, middle);
}

static void
draw_groups(struct picture *p, const struct groups *g,
            const struct names *names)
{
	struct curve shape[COMPARED_MOST] = {0}, median = {0};
	struct row_order o = row_order_of(names, &g->keys);

	for (size_t i = 0; i < g->keys.n; i++)
		add_row(p, names_key(names, &g->keys, o.key[i],
		                     names_constant(names, "bench")));
	p->room = room_beside(p);
	axis_of_samples(p, g, TAIL_LOG);
	for (size_t i = 0; i < g->keys.n; i++)
		add_violin(p, i, &g->histogram[o.key[i]],
		           &shape[o.colour[o.key[i]]], &median);
	row_order_take(&o, p, "density", shape);
	picture_take_if(p, STYLE_STROKE, "median", &median);
	row_order_free(&o);
}

static void
draw(struct picture *p, struct table *t)
{
	draw_pooled(p, t, "run", draw_groups);
}

const struct kind kind_violin = {
    .name = "violin",
    .help = "the shape of many distributions, peaks included",
    .draw = draw,
};
