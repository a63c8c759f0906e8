/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Units with counters, as the kernel shows them in sysfs. */
#ifndef PCB_COLLECT_PMU_UNITS_H
#define PCB_COLLECT_PMU_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Counts are taken through a CPU; a unit has one for each die that it is in. */
struct pmu_access {
	unsigned cpu;
	char *socket; /* "S0-D1" with several dies; "" where nothing tells */
};

struct pmu_unit {
	char *path; /* its directory */
	char *unit; /* as the column has it */
	uint32_t type;
	struct pmu_access *at;
	size_t n;
};

/* Ascending by number within a PMU. Release with pmu_units_free. */
struct pmu_units {
	struct pmu_unit *unit;
	size_t n;
};

#define PMU_DEVICES "bus/event_source/devices"

/*
 * Finds below `sysfs` the units of a PMU: its name alone or with _ and a
 * number behind it, or those that match it as a pattern with *. False, with
 * the reason in *why (free it), where one of their files makes no sense.
 */
bool pmu_units_find(struct pmu_units *units, const char *sysfs, const char *pmu,
                    char **why);
void pmu_units_free(struct pmu_units *units);

#endif
