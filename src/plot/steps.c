#include "plot/steps.h"

#include <math.h>

void
add_steps(struct curve *c, const struct dist *d, const struct picture *p)
{
	double dx = 0.5 / p->width;
	double dy = 0.5 / p->height;
	double drawn_x = axis_position(&p->x, d->bin[0].value);
	double drawn = 0;
	uint64_t sum = 0;

	curve_add(c, d->bin[0].value, 0);
	for (size_t i = 0; i < d->nbins; i++) {
		double part, next = INFINITY;

		sum += d->bin[i].count;
		part = (double)sum / (double)d->n;
		if (i + 1 < d->nbins)
			next = axis_position(&p->x, d->bin[i + 1].value);
		/* Too low a step, or too short before the next one. */
		if (i + 1 < d->nbins &&
		    (part - drawn < dy || next - drawn_x < dx))
			continue;
		curve_add(c, d->bin[i].value, 100 * (double)sum / (double)d->n);
		drawn = part;
		drawn_x = axis_position(&p->x, d->bin[i].value);
	}
}
