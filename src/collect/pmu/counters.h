/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters of the kernel, opened in groups and read as differences. */
#ifndef PCB_COLLECT_PMU_COUNTERS_H
#define PCB_COLLECT_PMU_COUNTERS_H

#include "collect/host/perf_event.h"

#include <linux/perf_event.h>
#include <stddef.h>
#include <sys/types.h>

/* System calls, which a test can replace. */
struct pmu_calls {
	/* perf_event_open for all processes of a CPU; -1 with errno. */
	int (*open)(struct perf_event_attr *attr, int cpu, int group);
	int (*enable)(int fd); /* the whole group */
	ssize_t (*read)(int fd, void *to, size_t size);
	int (*close)(int fd);
};

extern const struct pmu_calls pmu_kernel;

/* Most events in one group. */
#define PMU_GROUP_MAX 16

/* A count, and the nanoseconds; or differences to the reading before. */
struct pmu_reading {
	uint64_t value, enabled, running;
};

struct pmu_counter {
	/* Set by the caller. */
	uint32_t type;
	struct pmu_config config;
	int cpu;
	size_t together; /* counters with equal numbers should form a group */

	/* Of an open counter. */
	int fd;         /* -1: the kernel refused the event */
	size_t leader;  /* counter through which the group is read */
	size_t members; /* of a leader: counters, itself included */
	struct pmu_reading last;
};

struct pmu_counters {
	const struct pmu_calls *calls;
	struct pmu_counter *counter;
	size_t n;
	size_t nrefused;
};

/*
 * Opens all counters, not yet counting. Neighbours with an equal `together`
 * form one group; if the kernel reports that they do not fit (EINVAL or
 * ENOSPC), the next one starts a new group. Skips an event that the kernel
 * refuses on its own (EINVAL). False, with errno and the counter's index in
 * *at, after any other error.
 */
bool pmu_open(struct pmu_counters *c, size_t *at);

/* Starts all groups. False, with errno and *at, on failure. */
bool pmu_start(struct pmu_counters *c, size_t *at);

/*
 * Reads each group in one call: to[i] is what counter i has counted since the
 * reading before; zeros for a refused one. False, with errno and *at, if a
 * group can no longer be read; errno is ENODEV if its CPU is offline.
 */
bool pmu_read(struct pmu_counters *c, struct pmu_reading to[], size_t *at);

/* Closes the descriptors; the caller owns the counters. */
void pmu_close(struct pmu_counters *c);

#endif
