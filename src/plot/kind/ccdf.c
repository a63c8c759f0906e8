/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tails of distributions: the part of samples above a latency. */
#include "plot/data/sample_groups.h"
#include "plot/kind/kind.h"
#include "plot/kind/step_curve.h"

static uint64_t
most_samples(const struct groups *g)
{
	uint64_t most = 1;

	for (size_t i = 0; i < g->keys.n; i++) {
		if (g->histogram[i].n > most)
			most = g->histogram[i].n;
	}
	return most;
}

static void
draw_groups(struct picture *p, const struct groups *g,
            const struct names *names)
{
	axis_of_samples(p, g, TAIL_ALIKE);
	axis_tail(&p->y, "samples above (%)", 100 / (double)most_samples(g),
	          p->room_y);
	add_curves(p, g, names, STEPS_ABOVE);
}

static void
draw(struct picture *p, struct table *t)
{
	draw_samples(p, t, false, draw_groups);
}

const struct kind kind_ccdf = {
    .name = "ccdf",
    .help = "the tail: share of samples above a latency, on a log scale",
    .draw = draw,
};
