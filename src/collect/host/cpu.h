/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The measuring CPU: pinning and disturbances. */
#ifndef PCB_COLLECT_HOST_CPU_H
#define PCB_COLLECT_HOST_CPU_H

#include "collect/core/backend.h"
#include "collect/host/clock.h"
#include "common/stream/preamble.h"
#include "common/sys/sysfs.h"

struct bitmask;

struct host {
	int cpu; /* the thread is pinned to it; or -1 */
	struct clock clock;
	/* Counts at host_begin. */
	uint64_t interrupts; /* on the CPU; UINT64_MAX: unreadable */
	uint64_t switches;   /* involuntary context switches of this thread */
};

/*
 * Pins the thread to the CPU of --cpu; without it, to a CPU on NUMA node `node`
 * (-1: any) or, with a warning, the nearest allowed one, preferably the current
 * CPU. Records "cpu_pinned". If the kernel refuses, adds that to "not_set" and
 * sets *cpu to -1; false after fail() if the user named the CPU.
 */
bool host_pin(struct session *s, int node, int *cpu);

/*
 * Pins as host_pin does, opens the clock and records it, and locks all mapped
 * memory; adds a refusal to "not_set".
 */
bool host_prepare(struct session *s, struct host *h, int node);

/*
 * Call just before the measurement. Warns of a clock that varies and of what is
 * in "not_set", and stores the counts of disturbances.
 */
void host_begin(const struct session *s, struct host *h);

/*
 * Adds to the end line the disturbances since host_begin and the drift of the
 * clock; warns if the thread was moved to another CPU.
 */
void host_describe_end(const struct host *h, struct preamble *end);

/* The kernel's directory of CPUs. */
#define HOST_CPUS root_path("/sys/devices/system/cpu")

/*
 * Bytes of the largest cache of any CPU: CPUs may differ, or be offline. 0 if
 * the directory `cpus` does not list caches.
 */
uint64_t host_llc(const char *cpus);

/* Adds to "not_set" what could not be done, with errno's text; keeps errno. */
void host_not_set(struct preamble *pre, const char *what);

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
