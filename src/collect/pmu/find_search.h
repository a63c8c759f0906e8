/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which part of which unit counts more while there is traffic. */
#ifndef PCB_COLLECT_PMU_FIND_SEARCH_H
#define PCB_COLLECT_PMU_FIND_SEARCH_H

#include "collect/pmu/plan.h"

/* A part of a unit. All that is counted of it is added up, by the second. */
struct pmu_spot {
	const struct pmu_unit *unit;
	const struct pmu_access *at;
	int part;
	double quiet, busy;         /* means over the rounds */
	double quiet_max, busy_min; /* of single intervals */
};

/* Zero-initialise and set the first five; release with pmu_search_free. */
struct pmu_search {
	struct pmu_plan *plan; /* its counters are open */
	uint64_t rounds;
	/* Lets an interval pass, with traffic or without; false ends it all. */
	bool (*pass)(void *context, bool busy);
	void *context;
	void (*progress)(void *context, double done); /* or NULL; 0 to 1 */

	struct pmu_spot *spot;
	size_t nspots;
};

/*
 * Counts in quiet and in busy intervals, in turn. False, with errno and the
 * number of a counter in *at: ECANCELED if `pass` ended it, ENODATA if the
 * counter never ran in an interval, else as pmu_start and pmu_read. Without
 * any counter of a part there are no spots, and nothing has been counted.
 */
bool pmu_search_run(struct pmu_search *search, size_t *at);

enum pmu_verdict { PMU_FOUND, PMU_NONE, PMU_UNCLEAR };

/*
 * What the counts say. *best is the spot of the largest rise among those where
 * every busy interval is above every quiet one; NULL, and PMU_NONE, if there
 * is no such spot. *next is the largest rise of any other spot, or NULL. It is
 * clear if the first is at least twice the second.
 */
enum pmu_verdict pmu_search_judge(const struct pmu_search *search,
                                  const struct pmu_spot **best,
                                  const struct pmu_spot **next);

/* Counts a second that a spot has more with traffic than without. */
double pmu_spot_rise(const struct pmu_spot *spot);

void pmu_search_free(struct pmu_search *search);

#endif
