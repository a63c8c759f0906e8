/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters of the kernel, units that have them, and what to count. */
#ifndef PCB_COLLECT_PMU_PMU_H
#define PCB_COLLECT_PMU_PMU_H

#include "collect/host/perf_event.h"
#include "common/stream/writer.h"

#include <linux/perf_event.h>
#include <signal.h>
#include <sys/types.h>

/* Counters ----------------------------------------------------------------- */

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

/* Units -------------------------------------------------------------------- */

/* A CPU that reads the unit; a unit has one for each die. */
struct pmu_access {
	unsigned cpu;
	char *socket; /* "S0-D1" if there are several dies; "" if unknown */
};

struct pmu_unit {
	char *path; /* its directory */
	char *unit; /* value of the column */
	uint32_t type;
	struct pmu_access *at;
	size_t n;
};

/* In ascending order of numbers within a PMU. Release with pmu_units_free. */
struct pmu_units {
	struct pmu_unit *unit;
	size_t n;
};

#define PMU_DEVICES "bus/event_source/devices"

/*
 * Finds the units of a PMU below `sysfs`: its name alone or with _ and a
 * number, or those that match it as a pattern with *. False, with the reason in
 * *why (free it), if one of their files is invalid.
 */
bool pmu_units_find(struct pmu_units *units, const char *sysfs, const char *pmu,
                    char **why);
void pmu_units_free(struct pmu_units *units);

/* Where a device is counted. Zero-initialise; release with pmu_place_free. */
struct pmu_place {
	char *socket, *unit; /* values of the columns */
	int part;            /* -1: all of the unit */
};

/*
 * Looks up a device, "03:00.0" or with its domain: in `map`, a CSV file with
 * the columns device, socket, unit and part (which may be empty); if `map` is
 * NULL, in the units' files die0, die1 and so on, which name the counted root
 * bus but no part. Returns NULL, or why the place is unknown (free it); dies if
 * the map is invalid.
 */
char *pmu_place_find(struct pmu_place *place, const char *sys,
                     const char *device, const char *map);

void pmu_place_free(struct pmu_place *place);

/*
 * pcb-collect ddio --find: writes a row of a map, without part, for a device
 * that the kernel's files name. False, after a message, if they do not.
 */
bool pmu_find(struct out *out, const char *device);

/* Plan --------------------------------------------------------------------- */

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
