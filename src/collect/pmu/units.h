/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Units with counters, as in sysfs, and those that count a device. */
#ifndef PCB_COLLECT_PMU_UNITS_H
#define PCB_COLLECT_PMU_UNITS_H

#include "common/stream/writer.h"

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

#endif
