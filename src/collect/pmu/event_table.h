/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of events: what to count on which CPU. */
#ifndef PCB_COLLECT_PMU_EVENT_TABLE_H
#define PCB_COLLECT_PMU_EVENT_TABLE_H

#include <stddef.h>
#include <stdint.h>

/* A row of a table; the columns are described in pcb-collect-pmu(7). */
struct pmu_event {
	char *group; /* what is counted together */
	char *name;
	char *pmu;         /* "" for one that the CPU does not have */
	char *terms;       /* see pmu_encode */
	char *part_fields; /* commas between */
	unsigned parts;    /* 0: the event is not of parts */
	char *why_not;
};

/* Zero-initialise; release with pmu_events_free. */
struct pmu_events {
	struct pmu_event *event;
	size_t n;
};

/* Reads a table; dies on a bad one. */
void pmu_events_read(struct pmu_events *events, char *file);
void pmu_events_free(struct pmu_events *events);

/* Where a CPU has what. */
struct pmu_cpu {
	char *events;          /* the name of its table; NULL: there is none */
	uint64_t llc_ways_msr; /* 0: not known */
};

/*
 * Looks the CPU up whose modalias is this, in the index that comes with the
 * program. Free cpu.events.
 */
struct pmu_cpu pmu_cpu_find(const char *modalias);

#endif
