/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the unit and part that count a device's traffic. */
#ifndef PCB_COLLECT_PMU_DEVICE_MAP_H
#define PCB_COLLECT_PMU_DEVICE_MAP_H

#include "common/stream/writer.h"

/* Zero-initialise; release with pmu_place_free. */
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
