/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What to count on this machine, and where: tables of events, and units. */
#ifndef PCB_COLLECT_PMU_PLAN_H
#define PCB_COLLECT_PMU_PLAN_H

#include "collect/pmu/counters.h"
#include "collect/pmu/units.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A row of a table; pcb-collect-pmu(7) describes the columns. */
struct pmu_event {
	char *group; /* events counted together */
	char *name;
	char *pmu;         /* "": the CPU lacks the event */
	char *terms;       /* see pmu_encode */
	char *part_fields; /* separated by commas */
	unsigned parts;    /* 0: the event has no parts */
	char *why_not;
};

/* Zero-initialise; release with pmu_events_free. */
struct pmu_events {
	struct pmu_event *event;
	size_t n;
};

/* Reads a table; dies if it is invalid. */
void pmu_events_read(struct pmu_events *events, char *file);
void pmu_events_free(struct pmu_events *events);

/* The row of a CPU in the index. */
struct pmu_cpu {
	char *events;          /* name of its table, or NULL */
	uint64_t llc_ways_msr; /* number of the MSR; 0: unknown */
};

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
