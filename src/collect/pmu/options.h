/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of benches that count, and -O of the backend pmu. */
#ifndef PCB_COLLECT_PMU_OPTIONS_H
#define PCB_COLLECT_PMU_OPTIONS_H

#include "collect/core/request.h"

/* -O: events, groups, map and parts. */
extern const struct backend_option pmu_options[];

/* --interval. */
extern const struct bench_option pmu_bench_options[];

/* The value of an option of pmu_options; NULL if it is empty. */
const char *pmu_option(const struct request *request, const char *name);

/* Nanoseconds of --interval, rounded up; 0: not given. */
uint64_t pmu_interval_ns(const struct request *request);

#endif
