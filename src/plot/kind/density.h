/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Density of samples: latency against order or time, as shades. */
#ifndef PCB_PLOT_KIND_DENSITY_H
#define PCB_PLOT_KIND_DENSITY_H

#include "common/stream/table.h"
#include "plot/picture/picture.h"

/*
 * Reads all samples and fills the picture: a cell for each place, shaded by its
 * number of samples. --x names the column of the horizontal axis, such as seq
 * or time_ns. If that restarts with each run, runs follow each other with a
 * line between them; samples with flags get rings. Without a column seq, the
 * row's number replaces it. Dies and warns as row_reader_next does.
 */
void draw_density(struct picture *p, struct table *t);

#endif
