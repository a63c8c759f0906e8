/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples of latency, for the kinds that show distributions. */
#ifndef PCB_PLOT_DATA_SAMPLE_GROUPS_H
#define PCB_PLOT_DATA_SAMPLE_GROUPS_H

#include "common/stat/groups.h"
#include "plot/data/captions.h"
#include "plot/data/row_reader.h"
#include "plot/picture/picture.h"

/*
 * Reads the rows to the end of the table: the measure of each, as often as its
 * weight says, into the group of its key. Dies and warns as row_reader_next
 * does.
 */
void read_groups(struct groups *g, struct row_reader *r, struct table *t);

/*
 * Reads the table to its end, `latency_ns` being the measure. Sets the titles,
 * and has `draw` do the rest. With `runs_apart` the number of the run is in
 * the names.
 */
void draw_samples(struct picture *p, struct table *t, bool runs_apart,
                  void (*draw)(struct picture *p, const struct groups *g,
                               const struct names *names));

/*
 * A horizontal axis for all samples; logarithmic where the largest is over 20
 * times the lowest median. With `cut` it ends behind the highest p99.9 where
 * the rest would take more than half of it, and its label says so.
 */
void axis_of_samples(struct picture *p, const struct groups *g, bool cut);

#endif
