/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cumulative distributions, one curve per group of samples. */
#include "plot/data/sample_groups.h"
#include "plot/kind/kind.h"
#include "plot/kind/step_curve.h"

static void
draw_groups(struct picture *p, const struct groups *g,
            const struct names *names)
{
	axis_of_samples(p, g, TAIL_LOG);
	axis_percent(&p->y, "samples at or below (%)");
	add_curves(p, g, names, STEPS_BELOW);
}

static void
draw(struct picture *p, struct table *t)
{
	draw_samples(p, t, false, draw_groups);
}

const struct kind kind_cdf = {
    .name = "cdf",
    .help = "share of samples at or below a latency",
    .draw = draw,
};
