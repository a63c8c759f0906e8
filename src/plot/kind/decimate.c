/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leaves out points that lie on top of others. */
#include "plot/kind/decimate.h"

#include "common/base/util.h"

#include <stdlib.h>

/* The part of the width that a point takes. */
#define POINT_PART 400

/* The squares of the picture, one bit for each. */
struct grid {
	double across, up; /* how many, along the axes */
	size_t width, bytes;
	unsigned char *taken;
};

static struct grid
grid_of(const struct picture *p, unsigned dots)
{
	struct grid g = {.across = (double)p->width / dots,
	                 .up = (double)p->height / dots};

	g.width = (size_t)g.across + 1;
	g.bytes = (g.width * ((size_t)g.up + 1) + 7) / 8;
	g.taken = xcalloc(g.bytes, 1);
	return g;
}

/* Whether this is the first one there. */
static bool
take(struct grid *g, double x, double y)
{
	size_t bit = (size_t)(x * g->across) + (size_t)(y * g->up) * g->width;
	unsigned char mask = (unsigned char)(1 << bit % 8);

	if (g->taken[bit / 8] & mask)
		return false;
	g->taken[bit / 8] |= mask;
	return true;
}

/*
 * The point `k`, if it is the first in its square, goes where `n` says. So does
 * the first of all: a curve without points is none.
 */
static void
move(struct curve *c, size_t k, size_t *n, const struct picture *p,
     struct grid *g)
{
	struct plot_point at = c->point[k];

	if (take(g, axis_position(&p->x, at.x), axis_position(&p->y, at.y)) ||
	    !k)
		c->point[(*n)++] = at;
}

static void
thin_to(struct picture *p, unsigned dots)
{
	struct grid g = grid_of(p, dots);
	size_t *n = xcalloc(p->n, sizeof *n);
	size_t longest = 0;

	for (size_t i = 0; i < p->n; i++) {
		if (p->curve[i].n > longest)
			longest = p->curve[i].n;
	}
	for (size_t k = 0; k < longest; k++) {
		/* Another one is first each time. */
		for (size_t i = k; i < k + p->n; i++) {
			struct curve *c = &p->curve[i % p->n];

			if (k < c->n)
				move(c, k, &n[i % p->n], p, &g);
		}
	}
	for (size_t i = 0; i < p->n; i++)
		p->curve[i].n = n[i];
	free(g.taken);
	free(n);
}

unsigned
thin(struct picture *p, size_t most)
{
	size_t before = picture_points(p);
	unsigned dots = p->width / POINT_PART;

	if (before <= most && p->n < 2)
		return 0;
	do
		thin_to(p, ++dots);
	while (picture_points(p) > most && dots < p->width);
	return picture_points(p) < before ? dots : 0;
}
