/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A device and what is above it, over the runs. */
#ifndef PCB_DIFF_TREE_EDGE_H
#define PCB_DIFF_TREE_EDGE_H

#include "diff/run_values.h"

/* A device in one run, with all that must match between it and its parent. */
struct place {
	double value; /* NAN where nothing was measured */
	double floor[NFLOORS];
	double tick_ns;
};

/* What the current row says, whose statistic is `value`. */
void place_fill(struct place *p, const struct table *t, const struct columns *c,
                double value);

/* The parent of a device on a root bus. */
#define NO_SPOT SIZE_MAX

/*
 * A device and the bridge above it. The values are ascending, so that equal
 * numbers of them are not of the same run.
 */
struct hop {
	size_t thing;        /* number of its key */
	size_t group;        /* number of what it has in common with others */
	size_t spot, parent; /* numbers of the two ends */
	struct values at;    /* the statistic of the device, in all its runs */
	/* Of the runs that measured both: */
	struct values above, below, latency;
	struct values floor[NFLOORS]; /* latency by these statistics */
	double tick_ns;               /* of the coarser clock; 0: not known */
};

/*
 * Adds a run; `above` is NULL, or has no value, if the parent is not there or
 * was not measured. hop_sort comes after the last one.
 */
void hop_add(struct hop *hop, const struct place *above,
             const struct place *below);
void hop_sort(struct hop *hop);

/* Whether both ends were measured in the same run. */
bool hop_is_link(const struct hop *hop);

void hop_free(struct hop *hop);

#endif
