/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A device and the bridge above it, an edge of the tree, over the runs. */
#ifndef PCB_DIFF_TREE_EDGE_H
#define PCB_DIFF_TREE_EDGE_H

#include "diff/run_values.h"

/* The parent of a device on a root bus, and what else is not there. */
#define NO_NODE SIZE_MAX

/* A device in one run. */
struct observation {
	double value; /* NAN: not measured */
	double floor[NFLOORS];
	double tick_ns;
	size_t edge;   /* of the device and its parent */
	size_t parent; /* the observation of that, or NO_NODE */
};

/*
 * The values are ascending, so that equal numbers of them are not of the same
 * run.
 */
struct edge {
	size_t group;         /* number of what it has in common with others */
	size_t node, parent;  /* numbers of the two ends, or NO_NODE */
	struct run_values at; /* the statistic of the device, in all its runs */
	/* Of the runs that measured both: */
	struct run_values above, below, latency;
	struct run_values floor[NFLOORS]; /* latency by these statistics */
	double tick_ns;                   /* of the coarser clock; 0: unknown */
};

/* Sets the numbers of an observation from the current row. */
void observation_read(struct observation *o, const struct table *t,
                      const struct diff_columns *c, double value);

/*
 * Adds a run; `above` is NULL, or has no value, if the parent is not there or
 * was not measured. edge_sort comes after the last one.
 */
void edge_add(struct edge *e, const struct observation *above,
              const struct observation *below);
void edge_sort(struct edge *e);

/* Whether both ends were measured in the same run. */
bool edge_is_link(const struct edge *e);

void edge_free(struct edge *e);

#endif
