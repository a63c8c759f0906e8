/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the samples of points and runs tell: whether they are steady, and how
 * well the medians of runs agree.
 */
#ifndef PCB_COLLECT_RUN_RUNS_H
#define PCB_COLLECT_RUN_RUNS_H

#include "collect/core/session.h"
#include "common/stat/histogram.h"
#include "common/stat/sequence.h"

/* Fewer runs bound no median with a confidence of 95 %. */
#define RUNS_LEAST 6

/* Zero-initialise, set `compare`, release with runs_free. */
struct runs {
	bool compare; /* keep the medians; else they take no memory */

	/* Private: of each series at this point. */
	struct sequence **sequence; /* NULL: simulated, disturbed by nothing */
	struct tallies samples;
	size_t nseries;

	/* Of each series at each point, in the same order in every run. */
	struct medians {
		double *of; /* by run */
		size_t n;
	} * medians;
	size_t nmedians, next;

	struct steadiness steadiness;
	size_t sequences; /* so many were asked whether they are steady */
};

/* Around the samples of a point, which runs_add gets in order. */
void runs_begin_point(struct runs *r, const struct series series[], size_t n);
void runs_add(struct runs *r, const struct bench *bench, size_t series,
              const uint64_t *raw, size_t n);
void runs_end_point(struct runs *r);

/*
 * At the end of a run: by what part the 95 % interval of any median over runs
 * reaches beyond this median, whatever the distribution; infinite below
 * RUNS_LEAST runs.
 */
double runs_end(struct runs *r);

void runs_free(struct runs *r);

#endif
