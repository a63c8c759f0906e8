/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens the counters of a plan and warns of events that are not counted. */
#ifndef PCB_COLLECT_PMU_OPEN_H
#define PCB_COLLECT_PMU_OPEN_H

#include "collect/core/backend.h"
#include "collect/pmu/plan.h"

/*
 * Opens all counters of the plan, not yet counting; records in the preamble
 * which events are not counted. False after fail().
 */
bool pmu_open_plan(struct session *s, struct pmu_plan *plan);

/*
 * Fails with errno, the action ("opening") and counter `at` of the plan, and
 * the remedy. Returns false.
 */
bool pmu_fail_at(struct session *s, const struct pmu_plan *plan, size_t at,
                 const char *doing, int status);

#endif
