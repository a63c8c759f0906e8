/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the part of a unit that counts more while there is traffic. */
#ifndef PCB_COLLECT_PMU_FIND_SEARCH_H
#define PCB_COLLECT_PMU_FIND_SEARCH_H

#include "collect/pmu/plan.h"

/* A part of a unit, and the sum of its counts per second. */
struct pmu_spot {
	const struct pmu_unit *unit;
	const struct pmu_access *at;
	int part;
	double quiet, busy;         /* means over the rounds */
	double quiet_max, busy_min; /* over single intervals */
};

/* Zero-initialise and set the first five; release with pmu_search_free. */
struct pmu_search {
	struct pmu_plan *plan; /* with open counters */
	uint64_t rounds;
	/* Waits an interval, with traffic or without; false ends the search. */
	bool (*pass)(void *context, bool busy);
	void *context;
	/* called with 0 to 1; or NULL */
	void (*progress)(void *context, double done);

	struct pmu_spot *spot;
	size_t nspots;
};

/*
 * Counts in quiet and busy intervals, alternately. False, with errno and a
 * counter's index in *at: ECANCELED if `pass` ended it, ENODATA if the counter
 * never ran in an interval, else as pmu_start and pmu_read. If no counter has a
 * part, it counts nothing and nspots is 0.
 */
bool pmu_search_run(struct pmu_search *search, size_t *at);

enum pmu_verdict { PMU_FOUND, PMU_NONE, PMU_UNCLEAR };

/*
 * Judges the counts. *best is the spot with the largest rise among those where
 * every busy interval exceeds every quiet one; NULL, and PMU_NONE, if there is
 * none. *next is the largest rise of any other spot, or NULL. PMU_FOUND if the
 * first is at least twice the second.
 */
enum pmu_verdict pmu_search_judge(const struct pmu_search *search,
                                  const struct pmu_spot **best,
                                  const struct pmu_spot **next);

/* Counts per second that traffic adds at a spot. */
double pmu_spot_rise(const struct pmu_spot *spot);

void pmu_search_free(struct pmu_search *search);

#endif
