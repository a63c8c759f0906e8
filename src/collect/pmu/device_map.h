/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which part of which unit sees the traffic of a device. */
#ifndef PCB_COLLECT_PMU_DEVICE_MAP_H
#define PCB_COLLECT_PMU_DEVICE_MAP_H

/* Zero-initialise; release with pmu_place_free. */
struct pmu_place {
	char *socket, *unit; /* as the columns have them */
	int part;            /* -1: any of the unit */
};

/*
 * Looks a device up, "03:00.0" or with its domain: in `map`, a CSV file with
 * the columns device, socket, unit and part (which may be empty); or, where
 * that is NULL, in the files die0, die1 and so on of the units, which name the
 * root bus that they count, but no part. Returns NULL, or the reason why the
 * place is unknown, to be freed; dies on a bad map.
 */
char *pmu_place_find(struct pmu_place *place, const char *sys,
                     const char *device, const char *map);

void pmu_place_free(struct pmu_place *place);

#endif
