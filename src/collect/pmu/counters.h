/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters of the kernel, opened in groups and read as differences. */
#ifndef PCB_COLLECT_PMU_COUNTERS_H
#define PCB_COLLECT_PMU_COUNTERS_H

#include "collect/host/perf_encode.h"

#include <linux/perf_event.h>
#include <stddef.h>
#include <sys/types.h>

/* What is asked of the kernel; a test may answer in its place. */
struct pmu_calls {
	/* As the system call, for all processes of a CPU; -1 and errno. */
	int (*open)(struct perf_event_attr *attr, int cpu, int group);
	int (*enable)(int fd); /* the whole group */
	ssize_t (*read)(int fd, void *to, size_t size);
	int (*close)(int fd);
};

extern const struct pmu_calls pmu_kernel;

/* So many events in one group, at most. */
#define PMU_GROUP_MAX 16

struct pmu_counter {
	/* To be set. */
	uint32_t type;
	struct pmu_config config;
	int cpu;
	size_t together; /* equal numbers should be one group */

	/* Of one that is open. */
	int fd;         /* -1: the kernel refused the event */
	size_t leader;  /* the counter that the group is read through */
	size_t members; /* of a leader: how many, with itself */
	uint64_t value, enabled, running; /* when last read */
};

/* One difference to the reading before. */
struct pmu_reading {
	uint64_t value, enabled, running; /* nanoseconds */
};

struct pmu_counters {
	const struct pmu_calls *calls;
	struct pmu_counter *counter;
	size_t n;
	size_t nrefused;
};

/*
 * Opens all, not yet counting. Neighbours that should be together are one
 * group; where the kernel says that they do not fit (EINVAL or ENOSPC), the
 * next one begins a new group. An event that it refuses by itself (EINVAL) is
 * left out. False, with errno and the counter's number in *at, where one
 * cannot be opened for any other reason.
 */
bool pmu_open(struct pmu_counters *c, size_t *at);

/* Starts all groups. False, with errno and *at, on failure. */
bool pmu_start(struct pmu_counters *c, size_t *at);

/*
 * Reads all groups, each at once: to[i] is what counter i has counted since
 * the reading before; zeros for one that was refused. False, with errno and
 * *at, if a group can no longer be read; errno is ENODEV if its CPU is gone.
 */
bool pmu_read(struct pmu_counters *c, struct pmu_reading to[], size_t *at);

/* Closes what is open; the counters remain the caller's. */
void pmu_close(struct pmu_counters *c);

#endif
