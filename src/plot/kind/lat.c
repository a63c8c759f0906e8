/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Latency against transfer size: median, scatter and minimum. */
#include "plot/kind/kind.h"
#include "plot/kind/sweep_plot.h"

static const char *const measures[] = {"median_ns", "latency_ns", NULL};

static const struct sweep_kind sizes = {
    .column = "size_bytes",
    .label = "transfer size",
    .measures = measures,
    .needed = "a size or a latency",
};

static void
draw(struct picture *p, struct table *t)
{
	draw_against(p, t, &sizes);
}

const struct kind kind_lat = {
    .name = "lat",
    .help = "latency against transfer size: median, p5 to p95, minimum",
    .draw = draw,
};
