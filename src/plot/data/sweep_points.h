/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The points of a curve, and how values scatter at each. */
#ifndef PCB_PLOT_DATA_SWEEP_POINTS_H
#define PCB_PLOT_DATA_SWEEP_POINTS_H

#include "plot/data/row_reader.h"
#include "plot/picture/picture.h"

struct sweep_point {
	struct plot_point at;
	double low, high; /* of the band; NAN: none */
	double floor;     /* the minimum; NAN: none, or in the band */
};

/* Samples at one x. */
struct pool {
	double x;
	struct histogram histogram;
};

/* Zero-initialise; release with sweep_points_free. */
struct sweep_points {
	struct sweep_point *point; /* ascending once finished */
	size_t n, max;
	struct pool *pool;
	size_t npools;
	size_t last; /* result of the last search */
};

/*
 * Adds the measure of the current row at x: a statistic, with p5 (or min) to
 * p95 as its band; or a sample, if it is `latency_ns`.
 */
void sweep_points_take(struct sweep_points *s, const struct table *t, double x,
                       const struct row_reader *r);

/* Makes points of the samples, p5 to p95, and sorts all by x, then y. */
void sweep_points_finish(struct sweep_points *s);

/* Adds the middle of each point to the curve. */
void sweep_points_append(struct curve *c, const struct sweep_points *s);

void sweep_points_free(struct sweep_points *s);

#endif
