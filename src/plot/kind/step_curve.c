/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Draws distributions as steps. */
#include "plot/kind/step_curve.h"

#include "plot/data/sample_curves.h"

#include <math.h>
#include <stdlib.h>

/* The height of the curve behind the first `sum` samples. */
static double
percentage(const struct histogram *d, uint64_t sum, enum steps which)
{
	if (which == STEPS_ABOVE)
		sum = d->n - sum;
	return 100 * (double)sum / (double)d->n;
}

void
add_steps(struct curve *c, const struct histogram *d, const struct picture *p,
          enum steps which)
{
	double dx = 0.5 / p->width;
	double dy = 0.5 / p->height;
	double drawn_x = axis_position(&p->x, d->bin[0].value);
	double drawn_y = axis_position(&p->y, percentage(d, 0, which));
	size_t last = d->nbins - 1;
	uint64_t sum = 0;

	curve_add(c, d->bin[0].value, percentage(d, 0, which));
	for (size_t i = 0; i < last; i++) {
		double next = axis_position(&p->x, d->bin[i + 1].value);
		double y;

		sum += d->bin[i].count;
		y = axis_position(&p->y, percentage(d, sum, which));
		/* The step is too low, or too close to the next one. */
		if (fabs(y - drawn_y) < dy || next - drawn_x < dx)
			continue;
		curve_add(c, d->bin[i].value, percentage(d, sum, which));
		drawn_y = y;
		drawn_x = axis_position(&p->x, d->bin[i].value);
	}
	/*
	 * A logarithm never reaches the 0 above the largest value. If all
	 * values are equal, the curve would be a single, invisible point.
	 */
	if (which == STEPS_ABOVE && !last) {
		curve_add(c, d->bin[last].value, p->y.min);
		return;
	}
	if (which == STEPS_BELOW)
		sum = d->n;
	curve_add(c, d->bin[last].value, percentage(d, sum, which));
}

void
add_curves(struct picture *p, const struct groups *g, const struct names *names,
           enum steps which)
{
	struct sample_curve *curve = sample_curves_of(names, g);

	for (size_t i = 0; i < g->keys.n; i++) {
		struct curve *c = picture_add(p, STYLE_STEPS, curve[i].name);

		c->colour = curve[i].colour;
		c->thin = curve[i].thin;
		add_steps(c, &g->histogram[i], p, which);
	}
	free(curve);
}
