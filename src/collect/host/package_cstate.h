/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Residencies of package C-states, and what prevents them. */
#ifndef PCB_COLLECT_HOST_PACKAGE_CSTATE_H
#define PCB_COLLECT_HOST_PACKAGE_CSTATE_H

#include "common/stream/preamble.h"

#include "common/sys/sysfs.h"

#include <stdint.h>

#define PACKAGE_STATES_MAX 12

/* The PMU that counts them. */
#define PACKAGE_IDLE_PMU root_path("/sys/bus/event_source/devices/cstate_pkg")

/* Zero-initialise; release with package_idle_close. */
struct package_idle {
	struct package_state {
		char name[8]; /* "c6" */
		int fd;
		uint64_t before;
	} state[PACKAGE_STATES_MAX];
	unsigned n;
	uint64_t start; /* time-stamp counter at the start */
};

/*
 * The CPU that counts for the package of CPU `near`: one of the PMU's cpumask;
 * the first one if `near` is -1 or in no listed package; -1 if there is no
 * list. `cpus` is HOST_CPUS.
 */
int package_idle_cpu(const char *pmu, const char *cpus, int near);

/*
 * Starts to count the residencies of the package that this CPU counts for
 * (perf_event_open(2), PMU cstate_pkg, in ticks of the time-stamp counter:
 * Intel SDM 4, MSR_PKG_C*_RESIDENCY). Counts none if the machine has none or
 * access is denied.
 */
void package_idle_open(struct package_idle *p, const char *pmu, int cpu);

/* Records "package_c6_pct" and so on, of the time since package_idle_open. */
void package_idle_describe(const struct package_idle *p, struct preamble *end);

void package_idle_close(struct package_idle *p);

/*
 * Records "latency_limit_us", the wake-up latency that programs allow through
 * /dev/cpu_dma_latency, if it is limited, and warns that the CPUs then enter no
 * deeper idle states.
 */
void package_idle_describe_limit(struct preamble *pre);

#endif
