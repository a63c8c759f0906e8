/* The machine: made quiet before a measurement, described in the preamble. */
#ifndef PCB_COLLECT_HOST_H
#define PCB_COLLECT_HOST_H

#include "common/clock.h"
#include "common/preamble.h"

#include <stdint.h>

/* What would disturb a run: read before and after it, the rest is taken. */
struct disturbance {
	uint64_t interrupts; /* on the CPU measured from; 0 if unreadable */
	uint64_t switches;   /* involuntary, of this thread */
};

/* Records "date", of now in UTC. */
void host_describe_date(struct preamble *pre);

/*
 * Kernel, CPU, hypervisor, IOMMU, power management: "key: value" lines for
 * what can be read; the rest is left out. For backends that measure.
 */
void host_describe(struct preamble *pre);

/*
 * Pins the thread to `cpu`, or with -1 to one on NUMA node `node` (-1: any),
 * preferring the one it runs on. Records "cpu_pinned" and returns the number;
 * a refusal is added to "not_set", and -1 and errno say so.
 */
int host_pin(struct preamble *pre, int cpu, int node);

/* Locks all memory that is mapped now; a refusal is added to "not_set". */
void host_lock_memory(struct preamble *pre);

/* Records counter, tick, overhead and where the rate is from. */
void host_describe_clock(struct preamble *pre, const struct clock *clock);

/* Adds to "not_set" what could not be done, with errno's text; keeps errno. */
void host_not_set(struct preamble *pre, const char *what);

struct disturbance host_disturbance(int cpu);

/*
 * Adds to the end line what disturbed the run since `before`, on the CPU that
 * measured, and how the clock has drifted.
 */
void host_describe_end(struct preamble *end, const struct clock *clock, int cpu,
                       struct disturbance before);

#endif
