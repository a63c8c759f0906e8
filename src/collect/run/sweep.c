/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The points of a sweep, by number. */
#include "collect/run/sweep.h"

size_t
sweep_points(const struct sweep *sweep)
{
	return sweep->size.n * sweep->offset.n * sweep->window.n *
	       sweep->npatterns * sweep->ncaches * sweep->nnodes;
}

/* The next digit of *index, a number in mixed radix. */
static size_t
digit(size_t *index, size_t radix)
{
	size_t d = *index % radix;

	*index /= radix;
	return d;
}

/* Sizes change fastest: a sweep over sizes is a run of rows. */
struct point
sweep_point(const struct sweep *sweep, size_t index)
{
	struct point p;

	p.size = sweep->size.value[digit(&index, sweep->size.n)];
	p.offset = sweep->offset.value[digit(&index, sweep->offset.n)];
	p.window = sweep->window.value[digit(&index, sweep->window.n)];
	p.pattern = sweep->pattern[digit(&index, sweep->npatterns)];
	p.cache = sweep->cache[digit(&index, sweep->ncaches)];
	p.node = sweep->node[digit(&index, sweep->nnodes)];
	return p;
}
