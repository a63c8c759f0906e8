/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects the runs at both ends of an edge. */
#include "diff/tree_edge.h"

#include "diff/rank_test.h"

#include <math.h>
#include <stdlib.h>

void
observation_read(struct observation *o, const struct table *t,
                 const struct diff_columns *c, double value)
{
	o->value = value;
	o->tick_ns = table_tick_ns(t);
	for (size_t i = 0; i < NFLOORS; i++) {
		ptrdiff_t col = c->floor[i];

		o->floor[i] = NAN;
		if (diff_columns_has_floor(c, i) && *t->field[col])
			o->floor[i] = table_number(t, (size_t)col);
	}
}

static void
add_difference(struct edge *e, const struct observation *above,
               const struct observation *below)
{
	run_values_add(&e->above, above->value);
	run_values_add(&e->below, below->value);
	run_values_add(&e->latency, below->value - above->value);
	e->tick_ns = fmax(e->tick_ns, fmax(above->tick_ns, below->tick_ns));
	for (size_t i = 0; i < NFLOORS; i++) {
		double difference = below->floor[i] - above->floor[i];

		if (!isnan(difference))
			run_values_add(&e->floor[i], difference);
	}
}

void
edge_add(struct edge *e, const struct observation *above,
         const struct observation *below)
{
	run_values_add(&e->at, below->value);
	if (above && !isnan(above->value))
		add_difference(e, above, below);
}

void
edge_sort(struct edge *e)
{
	runs_sort(e->at.x, e->at.n);
	runs_sort(e->above.x, e->above.n);
	runs_sort(e->below.x, e->below.n);
	runs_sort(e->latency.x, e->latency.n);
	for (size_t i = 0; i < NFLOORS; i++)
		runs_sort(e->floor[i].x, e->floor[i].n);
}

bool
edge_is_link(const struct edge *e)
{
	return e->latency.n;
}

void
edge_free(struct edge *e)
{
	free(e->at.x);
	free(e->above.x);
	free(e->below.x);
	free(e->latency.x);
	for (size_t i = 0; i < NFLOORS; i++)
		free(e->floor[i].x);
}
