/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "diff/tree_edge.h"

#include "diff/rank_test.h"

#include <math.h>
#include <stdlib.h>

void
place_fill(struct place *p, const struct table *t, const struct columns *c,
           double value)
{
	p->value = value;
	p->tick_ns = table_tick_ns(t);
	for (size_t i = 0; i < NFLOORS; i++) {
		ptrdiff_t col = c->floor[i];

		p->floor[i] = NAN;
		if (columns_has_floor(c, i) && *t->field[col])
			p->floor[i] = table_number(t, (size_t)col);
	}
}

static void
add_difference(struct hop *hop, const struct place *above,
               const struct place *below)
{
	values_add(&hop->above, above->value);
	values_add(&hop->below, below->value);
	values_add(&hop->latency, below->value - above->value);
	hop->tick_ns = fmax(hop->tick_ns, fmax(above->tick_ns, below->tick_ns));
	for (size_t i = 0; i < NFLOORS; i++) {
		double difference = below->floor[i] - above->floor[i];

		if (!isnan(difference))
			values_add(&hop->floor[i], difference);
	}
}

void
hop_add(struct hop *hop, const struct place *above, const struct place *below)
{
	values_add(&hop->at, below->value);
	if (above && !isnan(above->value))
		add_difference(hop, above, below);
}

void
hop_sort(struct hop *hop)
{
	runs_sort(hop->at.x, hop->at.n);
	runs_sort(hop->above.x, hop->above.n);
	runs_sort(hop->below.x, hop->below.n);
	runs_sort(hop->latency.x, hop->latency.n);
	for (size_t i = 0; i < NFLOORS; i++)
		runs_sort(hop->floor[i].x, hop->floor[i].n);
}

bool
hop_is_link(const struct hop *hop)
{
	return hop->latency.n;
}

void
hop_free(struct hop *hop)
{
	free(hop->at.x);
	free(hop->above.x);
	free(hop->below.x);
	free(hop->latency.x);
	for (size_t i = 0; i < NFLOORS; i++)
		free(hop->floor[i].x);
}
