/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long the processor package has slept, and what keeps it from that. */
#ifndef PCB_COLLECT_HOST_PACKAGE_CSTATE_H
#define PCB_COLLECT_HOST_PACKAGE_CSTATE_H

#include "common/stream/preamble.h"

#include "common/sys/root.h"

#include <stdint.h>

#define PACKAGE_STATES_MAX 12

/* Where the kernel describes what it counts. */
#define PACKAGE_IDLE_PMU root_path("/sys/bus/event_source/devices/cstate_pkg")

/* Zero-initialise; release with package_idle_close. */
struct package_idle {
	struct package_state {
		char name[8]; /* "c6" */
		int fd;
		uint64_t before;
	} state[PACKAGE_STATES_MAX];
	unsigned n;
	uint64_t start; /* of the counter that they are counted by */
};

/*
 * The CPU through which the kernel counts for the package that the CPU `near`
 * is in: one of the PMU's cpumask, the first where `near` is -1 or in none of
 * their packages; -1 if there is no list. `cpus` is HOST_CPUS.
 */
int package_idle_cpu(const char *pmu, const char *cpus, int near);

/*
 * Begins to count the residencies of the package that is counted through this
 * CPU (perf_event_open(2), PMU cstate_pkg, in ticks of the time-stamp counter:
 * Intel SDM 4, MSR_PKG_C*_RESIDENCY). None where the machine has none or they
 * may not be read.
 */
void package_idle_open(struct package_idle *p, const char *pmu, int cpu);

/* Records "package_c6_pct" and so on, of the time since the last open. */
void package_idle_describe(const struct package_idle *p, struct preamble *end);

void package_idle_close(struct package_idle *p);

/*
 * Records "latency_limit_us", the latency of waking up that programs allow
 * the CPUs by /dev/cpu_dma_latency, if they do, and warns: deeper idle states
 * are not entered then.
 */
void package_idle_describe_limit(struct preamble *pre);

#endif
