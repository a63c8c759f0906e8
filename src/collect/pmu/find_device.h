/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-collect ddio --find: which part of which unit counts a device. */
#ifndef PCB_COLLECT_PMU_FIND_DEVICE_H
#define PCB_COLLECT_PMU_FIND_DEVICE_H

#include "collect/run/collection.h"
#include "common/stream/writer.h"

/*
 * Looks for the place of the device that the request names, with traffic of
 * its command or by reads, and writes it to stdout as a row of a map, which
 * pmu_place_find takes. Returns the exit status, after the reason has been
 * printed; STATUS_NO, and no row, if the counts do not tell. After a signal it
 * does not return but ends the process by it.
 */
int pmu_find(const struct collection *c, enum format format);

#endif
