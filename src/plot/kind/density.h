/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many samples are where: latency against order or time, as shades. */
#ifndef PCB_PLOT_KIND_DENSITY_H
#define PCB_PLOT_KIND_DENSITY_H

#include "common/stream/table.h"
#include "plot/picture/picture.h"

/*
 * Reads the samples to the end of the table and fills the picture: a cell for
 * each place, its shade how many samples are there; --x names the column of
 * the horizontal axis, such as seq or time_ns. Where that column starts anew
 * with each run, runs follow each other, a line between them; samples with
 * flags have rings. Without a column seq it is the number of the row. Dies and
 * warns as row_reader_next does.
 */
void draw_density(struct picture *p, struct table *t);

#endif
