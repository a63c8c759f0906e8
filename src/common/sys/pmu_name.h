/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel calls the units that count. */
#ifndef PCB_COMMON_SYS_PMU_NAME_H
#define PCB_COMMON_SYS_PMU_NAME_H

#include <stddef.h>

/*
 * The column `unit` for the PMU whose name is the first `length` bytes:
 * without "uncore_" and the underscore before its number, as in "cha12",
 * "iio3", "amd_df". Free it.
 */
char *pmu_unit(const char *pmu, size_t length);

#endif
