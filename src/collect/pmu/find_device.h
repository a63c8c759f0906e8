/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-collect ddio --find: which part of which unit counts a device. */
#ifndef PCB_COLLECT_PMU_FIND_DEVICE_H
#define PCB_COLLECT_PMU_FIND_DEVICE_H

#include "collect/core/session.h"

/* Function `find` of the backend: with traffic of a command or by reads. */
bool pmu_find(struct session *s, double *quiet, double *busy);

#endif
