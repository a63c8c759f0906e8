/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of PMUs in the column `unit`. */
#ifndef PCB_COMMON_SYS_PMU_NAME_H
#define PCB_COMMON_SYS_PMU_NAME_H

#include <stddef.h>

/*
 * The name for the column `unit` of the PMU in the first `length` bytes:
 * without "uncore_" and the underscore before its number, such as "cha12",
 * "iio3", "amd_df". Free it.
 */
char *pmu_unit(const char *pmu, size_t length);

#endif
