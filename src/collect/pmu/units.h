/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Units with counters, as in sysfs. */
#ifndef PCB_COLLECT_PMU_UNITS_H
#define PCB_COLLECT_PMU_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
