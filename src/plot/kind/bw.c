/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bandwidth against transfer size, with the model's expectation. */
#include "plot/kind/kind.h"
#include "plot/kind/sweep_plot.h"

static const char *const measures[] = {"median_gbit_s", "bandwidth_gbit_s",
                                       NULL};

static const struct sweep_kind sizes = {
    .column = "size_bytes",
    .label = "transfer size",
    .measures = measures,
    .expected = "model_gbit_s",
    .needed = "a size or a bandwidth",
};

static void
draw(struct picture *p, struct table *t)
{
	draw_against(p, t, &sizes);
}

const struct kind kind_bw = {
    .name = "bw",
    .help = "bandwidth against transfer size, with the model if it is there",
    .draw = draw,
};
