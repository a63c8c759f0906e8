/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The values of every swept parameter, and their points. */
#ifndef PCB_COLLECT_RUN_SWEEP_H
#define PCB_COLLECT_RUN_SWEEP_H

#include "collect/core/point.h"
#include "common/base/number.h"

#define NODES_MAX 64

/* Each list has at least one value. */
struct sweep {
	struct size_list size, offset, window;
	enum pattern pattern[2];
	size_t npatterns;
	enum cache cache[NCACHES];
	size_t ncaches;
	int node[NODES_MAX];
	size_t nnodes;
};

/* The number of points, and the point at `index`. */
size_t sweep_points(const struct sweep *sweep);
struct point sweep_point(const struct sweep *sweep, size_t index);

/*
 * The parameters that vary in the sweep, as "size_bytes=64 cache=cold"; "" for
 * a single point. Free it.
 */
char *sweep_text(const struct sweep *sweep, const struct point *p);

#endif
