/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Latency or bandwidth against the window of memory accessed. */
#include "plot/kind/kind.h"
#include "plot/kind/sweep_plot.h"

static const char *const measures[] = {"median_ns",     "latency_ns",
                                       "median_gbit_s", "bandwidth_gbit_s",
                                       "ratio_pct",     NULL};

static const struct sweep_kind windows = {
    .column = "window_bytes",
    .label = "window",
    .measures = measures,
    .expected = "model_gbit_s",
    .needed = "a window or a measure",
};

static void
draw(struct picture *p, struct table *t)
{
	draw_against(p, t, &windows);
}

const struct kind kind_window = {
    .name = "window",
    .help = "latency or bandwidth against the window of memory",
    .draw = draw,
};
