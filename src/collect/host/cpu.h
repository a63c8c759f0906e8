/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The measuring CPU: pinning, and what disturbs it. */
#ifndef PCB_COLLECT_HOST_CPU_H
#define PCB_COLLECT_HOST_CPU_H

#include "collect/core/backend.h"
#include "collect/host/clock.h"
#include "common/sys/root.h"

struct bitmask;

struct host {
	int cpu; /* that the thread is pinned to, or -1 */
	struct clock clock;
	/* As host_begin has found them. */
	uint64_t interrupts; /* on the CPU; UINT64_MAX if unreadable */
	uint64_t switches;   /* involuntary, of this thread */
};

/*
 * The CPUs that this process may use, of all that the kernel may have; none
 * where it does not say. Free with numa_free_cpumask.
 */
struct bitmask *host_allowed(void);

/*
 * Pins the thread to the CPU of --cpu, or to one on NUMA node `node` (-1: any)
 * or, with a warning, as near to it as there is, preferring the one it runs on.
 * Records "cpu_pinned". A refusal is added to "not_set", and *cpu is -1; false
 * after fail() if the user has named the CPU.
 */
bool host_pin(struct session *s, int node, int *cpu);

/*
 * Pins as host_pin, opens the clock and records it, and locks all memory that
 * is mapped now; a refusal is added to "not_set".
 */
bool host_prepare(struct session *s, struct host *h, int node);

/*
 * To be called just before the measurement: warns of a clock that varies and
 * of what is in "not_set", and looks what has disturbed the CPU so far.
 */
void host_begin(const struct session *s, struct host *h);

/*
 * Adds to the end line what has disturbed the CPU since, and how the clock has
 * drifted; warns if somebody has moved the thread to another CPU.
 */
void host_describe_end(const struct host *h, struct preamble *end);

/*
 * Warns, if ns is not 0, that the program was stopped for so long within what
 * a bandwidth is computed from.
 */
void host_warn_stopped(uint64_t ns);

/* Where the kernel tells of its CPUs. */
#define HOST_CPUS root_path("/sys/devices/system/cpu")

/*
 * Bytes of the largest cache of any CPU, as those of a machine need not be
 * alike, nor all on; 0 if the kernel does not say below this directory.
 */
uint64_t host_llc(const char *cpus);

/* Adds to "not_set" what could not be done, with errno's text; keeps errno. */
void host_not_set(struct preamble *pre, const char *what);

#endif
