/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shares resources by progressive filling. */
#include "common/machine/share.h"

#include "common/base/util.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* A resource while it is filled. */
struct fill {
	double served; /* to the opposite direction */
	double left;
	double load; /* of flows that still grow */
	size_t users;
};

static double
level_of(const struct fill *f)
{
	double left = f->left > 0 ? f->left : 0;

	return f->users ? left / f->load : INFINITY;
}

/* Whether the flow stops at this level; then sets its limit. */
static bool
is_full(struct share_flow *f, const struct fill fill[], double level)
{
	for (f->limit = 0; f->limit < f->n; f->limit++) {
		/* Rounding must not split flows that stop together. */
		if (level_of(&fill[f->use[f->limit].resource]) <=
		    level * (1 + 1e-12))
			return true;
	}
	return false;
}

/* The flows of todo[] that grow further; the others get their rate. */
static size_t
stop_full(struct share_flow flow[], size_t todo[], size_t n, struct fill fill[],
          double level)
{
	size_t stopped = 0, grow = 0;

	/* First mark, then take: taking changes what is full. */
	for (size_t i = 0; i < n; i++) {
		struct share_flow *f = &flow[todo[i]];
		size_t index = todo[i];

		if (is_full(f, fill, level)) {
			f->rate = level;
			todo[i] = todo[stopped];
			todo[stopped++] = index;
		}
	}
	for (size_t i = 0; i < stopped; i++) {
		const struct share_flow *f = &flow[todo[i]];

		for (size_t k = 0; k < f->n; k++) {
			struct fill *r = &fill[f->use[k].resource];

			r->left -= f->use[k].forward * level;
			r->load -= f->use[k].forward;
			r->users--;
		}
	}
	for (; stopped + grow < n; grow++)
		todo[grow] = todo[stopped + grow];
	return grow;
}

static void
fill_up(const double capacity[], size_t nresources, struct share_flow flow[],
        size_t nflows, struct fill fill[], size_t todo[])
{
	size_t n = 0;

	for (size_t r = 0; r < nresources; r++)
		fill[r] = (struct fill){.served = fill[r].served,
		                        .left = capacity[r] - fill[r].served};
	for (size_t i = 0; i < nflows; i++) {
		flow[i].rate = INFINITY;
		flow[i].limit = flow[i].n;
		for (size_t k = 0; k < flow[i].n; k++) {
			struct fill *r = &fill[flow[i].use[k].resource];

			r->load += flow[i].use[k].forward;
			r->users++;
		}
		if (flow[i].n)
			todo[n++] = i;
	}
	while (n) {
		double level = INFINITY;

		for (size_t r = 0; r < nresources; r++)
			level = fmin(level, level_of(&fill[r]));
		if (isinf(level))
			break;
		n = stop_full(flow, todo, n, fill, level);
	}
}

/* Serves what the rates need in the opposite direction; the largest change. */
static double
serve(const struct share_flow flow[], size_t nflows, struct fill fill[],
      double need[], size_t nresources, double keep)
{
	double change = 0;

	for (size_t r = 0; r < nresources; r++)
		need[r] = 0;
	for (size_t i = 0; i < nflows; i++) {
		for (size_t k = 0; k < flow[i].n && isfinite(flow[i].rate); k++)
			need[flow[i].use[k].resource ^ 1] +=
			    flow[i].use[k].back * flow[i].rate;
	}
	for (size_t r = 0; r < nresources; r++) {
		double next = keep * fill[r].served + (1 - keep) * need[r];

		change = fmax(change, fabs(next - fill[r].served));
		fill[r].served = next;
	}
	return change;
}

void
share(const double capacity[], size_t nresources, struct share_flow flow[],
      size_t nflows)
{
	struct fill *fill = xcalloc(nresources + 1, sizeof *fill);
	double *need = xcalloc(nresources + 1, sizeof *need);
	size_t *todo = xcalloc(nflows + 1, sizeof *todo);
	double change = INFINITY;

	/* Large requests for little data could swing to and fro: damp that. */
	for (int i = 0; i < 60 && change > 1e-9; i++) {
		fill_up(capacity, nresources, flow, nflows, fill, todo);
		change = serve(flow, nflows, fill, need, nresources,
		               i < 8 ? 0 : 0.5);
	}
	free(fill);
	free(need);
	free(todo);
}
