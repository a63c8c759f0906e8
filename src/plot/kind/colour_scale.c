/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Divides the values of a heat map into colours. */
#include "plot/kind/colour_scale.h"

#include "common/base/util.h"
#include "common/stream/table.h"
#include "plot/data/captions.h"
#include "plot/picture/category_axis.h"

#include <math.h>
#include <string.h>

/* Above this ratio of the values, steps are factors. */
#define LOG_SCALE_FROM 20

/* From this shade on, numbers are white. */
#define DARK 4

void
shades_extend(struct shades *s, double value)
{
	s->low = s->values ? fmin(s->low, value) : value;
	s->high = s->values ? fmax(s->high, value) : value;
	s->values++;
}

static void
choose_unit(struct shades *s, const char *measure)
{
	struct axis a = {0};

	s->unit = 1;
	s->unit_name = unit_words(measure);
	if (strcmp(unit_of(measure), "ns") != 0)
		return;
	axis_time(&a, "", s->low, s->high, INFINITY, 1);
	s->unit = a.unit;
	s->unit_name = a.unit_name;
	axis_free(&a);
}

/* One edge fewer than shades: the first edge is rounded down. */
void
shades_choose(struct shades *s, const char *measure)
{
	double low, high;

	choose_unit(s, measure);
	low = s->low / s->unit;
	high = s->high / s->unit;
	s->log = low > 0 && high > LOG_SCALE_FROM * low;
	s->first = low;
	s->step = 1;
	if (s->log) {
		s->step = pow(high / low, 1.0 / COLOUR_STEPS) * (1 + 1e-9);
	} else if (high > low) {
		s->step = round_up((high - low) / (COLOUR_STEPS - 1));
		s->first = s->step * floor(low / s->step);
	}
}

static double
edge(const struct shades *s, size_t i)
{
	return s->log ? s->first * pow(s->step, (double)i)
	              : s->first + s->step * (double)i;
}

static size_t
shade_of(const struct shades *s, double value)
{
	size_t i = 0;

	while (i + 1 < COLOUR_STEPS && value >= edge(s, i + 1))
		i++;
	return i;
}

/* Spreads the shades in use from the lightest to the darkest colour. */
static size_t
colour_of(const struct shades *s, size_t shade)
{
	size_t last = shade_of(s, s->high / s->unit);

	return last ? shade * (COLOUR_STEPS - 1) / last : 0;
}

void
shades_add(struct shades *s, struct picture *p, size_t row, double x,
           double value, bool numbered)
{
	size_t shade = shade_of(s, value / s->unit);

	add_cell(&s->cell[shade], row, x);
	if (numbered)
		add_number(p, row, x, xasprintf("%.4g", value / s->unit),
		           colour_of(s, shade) >= DARK);
}

void
shades_finish(struct shades *s, struct picture *p)
{
	for (size_t i = 0; i < COLOUR_STEPS; i++) {
		char *name;

		if (!s->cell[i].n)
			continue;
		name =
		    s->low < s->high
		        ? xasprintf("%.4g to %.4g %s", edge(s, i),
		                    edge(s, i + 1), s->unit_name)
		        : xasprintf("%.4g %s", s->low / s->unit, s->unit_name);
		picture_take(p, STYLE_CELL, name, &s->cell[i])->colour =
		    colour_of(s, i);
	}
}
