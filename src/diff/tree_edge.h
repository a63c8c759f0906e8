/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An edge of the tree: a device and the bridge above it, over all runs. */
#ifndef PCB_DIFF_TREE_EDGE_H
#define PCB_DIFF_TREE_EDGE_H

#include "diff/run_values.h"

/* The parent of a device on a root bus; a missing index. */
#define NO_NODE SIZE_MAX

/* A device in one run. */
struct observation {
	double value; /* NAN: not measured */
	double floor[NFLOORS];
	double tick_ns;
	size_t edge;   /* index of the edge to its parent */
	size_t parent; /* index of the parent's observation, or NO_NODE */
};

/* All arrays are sorted, so equal indices are not the same run. */
struct edge {
	size_t group;         /* index of its group of comparable devices */
	size_t node, parent;  /* indices of the ends, or NO_NODE */
	struct run_values at; /* the device's statistic in all of its runs */
	/* Of runs that measured both ends: */
	struct run_values above, below, latency;
	struct run_values floor[NFLOORS]; /* latency by these statistics */
	double tick_ns;                   /* of the coarser clock; 0: unknown */
};

/* Sets an observation's numbers from the current row. */
void observation_read(struct observation *o, const struct table *t,
                      const struct diff_columns *c, double value);

/*
 * Adds a run. `above` is NULL, or has no value, if the parent is missing or was
 * not measured. Call edge_sort after the last run.
 */
void edge_add(struct edge *e, const struct observation *above,
              const struct observation *below);
void edge_sort(struct edge *e);

/* Whether both ends were measured in one run. */
bool edge_is_link(const struct edge *e);

void edge_free(struct edge *e);

#endif
