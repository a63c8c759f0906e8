/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of events: what to count on which CPU. */
#ifndef PCB_COLLECT_PMU_EVENT_TABLE_H
#define PCB_COLLECT_PMU_EVENT_TABLE_H

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

/*
 * Looks up the CPU with this modalias in the installed index. Free cpu.events.
 */
struct pmu_cpu pmu_cpu_find(const char *modalias);

#endif
