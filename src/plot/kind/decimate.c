/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drops points that cover each other. */
#include "plot/kind/decimate.h"

#include "common/base/util.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* Part of the width within which samples are neighbours. */
#define POINT_PART 100

/* Part of the width that a point covers. */
#define DOT_PART 250

/* The squares of the picture, one bit each. */
struct grid {
	double across, up; /* squares along each axis */
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

/* Whether this is the first point in its square. */
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

/* A pseudo-random number from 0 to below 1, independent of the order. */
static double
chance(uint64_t curve, uint64_t sample)
{
	uint64_t x = (curve << 40) + sample + 1;

	/* The finaliser of SplitMix64. */
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
	x ^= x >> 31;
	return (double)(x >> 11) / (double)(UINT64_C(1) << 53);
}

/*
 * Keeps a random part of a curve's samples, and samples without a neighbour on
 * the curve: otherwise outliers would vanish.
 */
static void
thin_curve(struct picture *p, size_t number, double part, unsigned dots)
{
	struct curve *c = &p->curve[number];
	struct grid g = grid_of(p, dots);
	bool *taken = xcalloc(c->n + 1, sizeof *taken);
	size_t n = 0;

	for (int alone = 0; alone < 2; alone++) {
		for (size_t k = 0; k < c->n; k++) {
			struct plot_point at = c->point[k];

			if (alone ? taken[k] : chance(number, k) >= part)
				continue;
			taken[k] = take(&g, axis_position(&p->x, at.x),
			                axis_position(&p->y, at.y)) ||
			           !alone;
		}
	}
	for (size_t k = 0; k < c->n; k++) {
		if (taken[k])
			c->point[n++] = c->point[k];
	}
	c->n = n;
	free(taken);
	free(g.taken);
}

/* The curve whose samples a square shows. */
struct owner {
	double chance;
	size_t curve;
	bool any;
};

static struct owner *
owner_at(struct owner *all, const struct grid *g, const struct picture *p,
         struct plot_point at)
{
	double x = axis_position(&p->x, at.x);
	double y = axis_position(&p->y, at.y);

	return &all[(size_t)(x * g->across) + (size_t)(y * g->up) * g->width];
}

/* Where curves overlap, keeps one, with a chance by its samples there. */
static void
part_curves(struct picture *p, unsigned dots)
{
	struct grid g = grid_of(p, dots);
	struct owner *all = xcalloc(g.bytes * 8, sizeof *all);

	for (size_t i = 0; i < p->n; i++) {
		for (size_t k = 0; k < p->curve[i].n; k++) {
			struct owner *o =
			    owner_at(all, &g, p, p->curve[i].point[k]);
			double c = chance(i + p->n, k);

			if (!o->any || c < o->chance)
				*o = (struct owner){c, i, true};
		}
	}
	for (size_t i = 0; i < p->n; i++) {
		struct curve *c = &p->curve[i];
		size_t n = 0;

		for (size_t k = 0; k < c->n; k++) {
			/* Keeps at least one point of a curve. */
			bool last = k + 1 == c->n && !n;

			if (last ||
			    owner_at(all, &g, p, c->point[k])->curve == i)
				c->point[n++] = c->point[k];
		}
		c->n = n;
	}
	free(all);
	free(g.taken);
}

bool
thin(struct picture *p, size_t most)
{
	size_t before = picture_points(p);
	unsigned near = p->width / POINT_PART;
	unsigned point = p->width / DOT_PART;

	for (size_t i = 0; before > most && i < p->n; i++)
		thin_curve(p, i, 0.5 * (double)most / (double)before,
		           near ? near : 1);
	if (p->n > 1)
		part_curves(p, point ? point : 1);
	return picture_points(p) < before;
}
