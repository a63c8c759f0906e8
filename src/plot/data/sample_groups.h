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

/* The same with the column `pooled` left out: its samples are of one group. */
void draw_pooled(struct picture *p, struct table *t, const char *pooled,
                 void (*draw)(struct picture *p, const struct groups *g,
                              const struct names *names));

/* What becomes of the few samples that lie far behind all others. */
enum tail {
	TAIL_ALIKE, /* the axis is linear or logarithmic throughout */
	TAIL_LOG,   /* it is linear up to them, and logarithmic from there */
	TAIL_CUT,   /* it ends before them, and its label says so */
};

/*
 * A horizontal axis for all samples. The tail begins behind the highest p99.9,
 * or p99, p95 or p90 where that is the first near the lowest median, if what
 * is behind it would take more than half of the axis; no more than 1 % is cut
 * off. An axis without a tail
 * is logarithmic where the largest sample is over LOG_FROM times the lowest
 * median, or LOG_TAIL_FROM times for TAIL_ALIKE.
 */
void axis_of_samples(struct picture *p, const struct groups *g, enum tail tail);

#endif
