/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shares resources by progressive filling. */
#include "common/machine/share.h"

#include "common/base/util.h"

#include <math.h>
#include <stdlib.h>

/* A resource: what its opposite has served, and the state of one filling. */
struct fill {
	double served, left, load, need;
};

static double
level_of(const struct fill *f)
{
	return f->load > 0 ? fmax(f->left, 0) / f->load : INFINITY;
}

/*
 * Lets all flows without a rate grow until a resource is full, and gives those
 * that use it their rate. False if no flow grows.
 */
static bool
fill_next(const double capacity[], struct fill fill[], size_t n,
          struct share_flow flow[], size_t nflows)
{
	double level = INFINITY;

	for (size_t r = 0; r < n; r++) {
		fill[r].left = capacity[r] - fill[r].served;
		fill[r].load = 0;
	}
	for (size_t i = 0; i < nflows; i++) {
		for (size_t k = 0; k < flow[i].n; k++) {
			struct fill *r = &fill[flow[i].use[k].resource];

			if (isinf(flow[i].rate))
				r->load += flow[i].use[k].forward;
			else
				r->left -=
				    flow[i].use[k].forward * flow[i].rate;
		}
	}
	for (size_t r = 0; r < n; r++)
		level = fmin(level, level_of(&fill[r]));
	for (size_t i = 0; i < nflows; i++) {
		for (size_t k = 0; isinf(flow[i].rate) && k < flow[i].n; k++) {
			/* Rounding must not part flows that stop together. */
			if (level_of(&fill[flow[i].use[k].resource]) <=
			    level * (1 + 1e-12)) {
				flow[i].rate = level;
				flow[i].limit = k;
			}
		}
	}
	return !isinf(level);
}

void
share(const double capacity[], size_t nresources, struct share_flow flow[],
      size_t nflows)
{
	struct fill *fill = xcalloc(nresources + 1, sizeof *fill);
	double change = INFINITY;

	for (int round = 0; round < 60 && change > 1e-9; round++) {
		/* Large requests for little data could swing: damp that. */
		double keep = round < 8 ? 0 : 0.5;

		for (size_t i = 0; i < nflows; i++) {
			flow[i].rate = INFINITY;
			flow[i].limit = flow[i].n;
		}
		while (fill_next(capacity, fill, nresources, flow, nflows))
			;
		for (size_t r = 0; r < nresources; r++)
			fill[r].need = 0;
		for (size_t i = 0; i < nflows; i++) {
			for (size_t k = 0; k < flow[i].n; k++)
				fill[flow[i].use[k].resource ^ 1].need +=
				    flow[i].use[k].back * flow[i].rate;
		}
		change = 0;
		for (size_t r = 0; r < nresources; r++) {
			double next =
			    keep * fill[r].served + (1 - keep) * fill[r].need;

			change = fmax(change, fabs(next - fill[r].served));
			fill[r].served = next;
		}
	}
	free(fill);
}
