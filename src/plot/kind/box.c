/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Distributions of many groups as rows of box plots. */
#include "plot/data/row_order.h"
#include "plot/data/sample_groups.h"
#include "plot/kind/kind.h"
#include "plot/picture/category_axis.h"

#include <math.h>
#include <stdlib.h>

/* Curves for all groups, in drawing order. */
struct box {
	struct curve whiskers, quartiles[COMPARED_MOST], median, floor;
	double low, high, typical;
};

static double
percentile(const struct histogram *d, uint64_t pct)
{
	return histogram_quantile(d, (struct fraction){pct, 100});
}

static void
add_box(struct box *b, size_t row, const struct histogram *d, size_t colour)
{
	double median = percentile(d, 50);

	add_line(&b->whiskers, row, percentile(d, 5), percentile(d, 95));
	add_bar(&b->quartiles[colour], row, percentile(d, 25),
	        percentile(d, 75));
	add_stroke(&b->median, row, median);
	curve_add(&b->floor, histogram_nth(d, 0), (double)row + 1);
	b->low = fmin(b->low, histogram_nth(d, 0));
	b->high = fmax(b->high, percentile(d, 95));
	b->typical = fmin(b->typical, median);
}

static void
draw_groups(struct picture *p, const struct groups *g,
            const struct names *names)
{
	struct box b = {
	    .low = INFINITY, .high = -INFINITY, .typical = INFINITY};
	struct row_order o = row_order_of(names, &g->keys);

	for (size_t i = 0; i < g->keys.n; i++) {
		size_t key = o.key[i];
		char *name = names_key(names, &g->keys, key,
		                       names_constant(names, "bench"));

		add_box(&b, add_row(p, name), &g->histogram[key],
		        o.colour[key]);
	}
	picture_take_if(p, STYLE_MARK, "minimum", &b.floor);
	picture_take_if(p, STYLE_LINE, "p5 to p95", &b.whiskers);
	row_order_take(&o, p, "quartiles", b.quartiles);
	picture_take_if(p, STYLE_STROKE, "median", &b.median);
	if (!p->nrows)
		b.low = b.high = b.typical = 0;
	axis_time(&p->x, "latency", b.low, b.high, LOG_FROM * b.typical,
	          room_beside(p));
	axis_few_tics(&p->x, room_beside(p));
	row_order_free(&o);
}

static void
draw(struct picture *p, struct table *t)
{
	draw_samples(p, t, true, draw_groups);
}

const struct kind kind_box = {
    .name = "box",
    .help = "median, quartiles, p5, p95 and minimum of many groups",
    .draw = draw,
};
