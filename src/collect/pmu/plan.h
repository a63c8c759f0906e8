/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is to be counted on this machine, and where. */
#ifndef PCB_COLLECT_PMU_PLAN_H
#define PCB_COLLECT_PMU_PLAN_H

#include "collect/pmu/counters.h"
#include "collect/pmu/device_map.h"
#include "collect/pmu/event_table.h"
#include "collect/pmu/units.h"

/* The units of one PMU of the table. */
struct pmu_family {
	const char *pmu;
	struct pmu_units units;
};

/* What a counter is for. */
struct pmu_source {
	const struct pmu_unit *unit;
	const struct pmu_access *at;
	const struct pmu_event *event;
	int part; /* -1: the event is not of parts */
};

struct pmu_plan {
	const char *sysfs;
	struct pmu_cpu cpu;
	struct pmu_events events;
	struct pmu_family *family;
	size_t nfamilies;
	size_t nunits; /* of all of them */
	struct pmu_counters counters;
	struct pmu_source *source; /* of each counter */
};

/* What of a table is wanted: names with commas between; NULL: all. */
struct pmu_choice {
	const char *events; /* a table; NULL: that of the CPU */
	const char *groups;
	const char *parts;
	const struct pmu_place *place; /* of events of parts; NULL: all */
};

/*
 * Finds the table of events and the units there are for it. Returns NULL, or
 * why nothing can be counted here, to be freed. Release with pmu_plan_free.
 */
char *pmu_plan_make(struct pmu_plan *plan, const char *sysfs,
                    const char *events);

/*
 * Lists the counters, those that should be in one group next to one another.
 * Returns NULL, or why not, to be freed.
 */
char *pmu_plan_counters(struct pmu_plan *plan, const struct pmu_choice *choice);

/*
 * The units of a PMU, of which there may be none; NULL where the table has no
 * such PMU.
 */
const struct pmu_family *pmu_plan_family(const struct pmu_plan *plan,
                                         const char *pmu);

void pmu_plan_free(struct pmu_plan *plan);

#endif
