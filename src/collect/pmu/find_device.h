/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-collect ddio --find: finds the part of a unit that counts a device. */
#ifndef PCB_COLLECT_PMU_FIND_DEVICE_H
#define PCB_COLLECT_PMU_FIND_DEVICE_H

#include "collect/core/session.h"

/* Function `find` of the backend: uses traffic of a command, or reads. */
bool pmu_find(struct session *s, double *quiet, double *busy);

#endif
