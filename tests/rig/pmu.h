/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sysfs tree with PMUs, for tests of counters. */
#ifndef PCB_TESTS_RIG_PMU_H
#define PCB_TESTS_RIG_PMU_H

#include "collect/pmu/pmu.h"
#include "rig/support.h"

#define DEVICES "sys/" PMU_DEVICES

/* Formats of the kernel's drivers. */
#define SIMPLE "event=config:0-7 umask=config:8-15"
#define SKX_CHA                                                                \
	SIMPLE " filter_rem=config1:32 filter_loc=config1:33 "                 \
	       "filter_nm=config1:36 filter_not_nm=config1:37 "                \
	       "filter_opc0=config1:41-50"
#define SKX_IIO SIMPLE " ch_mask=config:36-43 fc_mask=config:44-46"
#define SPR_CHA "event=config:0-7 umask=config:8-15,32-55"
#define SPR_IIO SIMPLE " ch_mask=config:36-47 fc_mask=config:48-50"

/* Makes the directories of a path; makes a one-line file, frees the path. */
void make_directories(const char *path);
void put_file(char *path, const char *line);

/* Makes a PMU with these fields, "name=format" separated by blanks. */
void put_pmu(const char *name, const char *type, const char *cpumask,
             const char *fields);

/* Makes a server with two sockets and these fields of CHA and IIO. */
void put_machine(const char *cha, const char *iio);

/* Plans the counters of one of our tables; fails the test if there are none. */
void plan_of(struct pmu_plan *plan, const char *table,
             const struct pmu_choice *choice);

/* A cmocka fixture: each test starts in an empty directory. */
int enter_machine(void **state);

#define MACHINE_TEST(name) TEST_IN(name, enter_machine, leave_scratch)

#endif
