/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What to count on this machine, and where. */
#ifndef PCB_COLLECT_PMU_PLAN_H
#define PCB_COLLECT_PMU_PLAN_H

#include "collect/pmu/counters.h"
#include "collect/pmu/device_map.h"
#include "collect/pmu/event_table.h"
#include "collect/pmu/units.h"

/* The units of one PMU in the table. */
struct pmu_family {
	const char *pmu;
	struct pmu_units units;
};

/* The origin of a counter. */
struct pmu_source {
	const struct pmu_unit *unit;
	const struct pmu_access *at;
	const struct pmu_event *event;
	int part; /* -1: the event has no parts */
};

struct pmu_plan {
	const char *sysfs;
	struct pmu_cpu cpu;
	struct pmu_events events;
	struct pmu_family *family;
	size_t nfamilies;
	size_t nunits; /* of all families */
	struct pmu_counters counters;
	struct pmu_source *source; /* one per counter */
};

/* What to use of a table: comma-separated names; NULL: all. */
struct pmu_choice {
	const char *events; /* a table; NULL: the CPU's */
	const char *groups;
	const char *parts;
	const struct pmu_place *place; /* for events with parts; NULL: all */
};

/*
 * Finds the table of events and its units on this machine. Returns NULL, or why
 * nothing can be counted here (free it). Release with pmu_plan_free.
 */
char *pmu_plan_make(struct pmu_plan *plan, const char *sysfs,
                    const char *events);

/*
 * Lists the counters, with those of a group next to each other. Returns NULL,
 * or why not (free it).
 */
char *pmu_plan_counters(struct pmu_plan *plan, const struct pmu_choice *choice);

/* The units of a PMU, possibly none; NULL if the table has no such PMU. */
const struct pmu_family *pmu_plan_family(const struct pmu_plan *plan,
                                         const char *pmu);

void pmu_plan_free(struct pmu_plan *plan);

#endif
