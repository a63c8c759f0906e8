/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A tree of sysfs that has PMUs, for tests of what is counted. */
#ifndef PCB_TESTS_RIG_PMU_H
#define PCB_TESTS_RIG_PMU_H

#include "collect/pmu/plan.h"
#include "rig/support.h"

#define DEVICES "sys/" PMU_DEVICES

/* As drivers of the kernel have them. */
#define SIMPLE "event=config:0-7 umask=config:8-15"
#define SKX_CHA                                                                \
	SIMPLE " filter_rem=config1:32 filter_loc=config1:33 "                 \
	       "filter_nm=config1:36 filter_not_nm=config1:37 "                \
	       "filter_opc0=config1:41-50"
#define SKX_IIO SIMPLE " ch_mask=config:36-43 fc_mask=config:44-46"
#define SPR_CHA "event=config:0-7 umask=config:8-15,32-55"
#define SPR_IIO SIMPLE " ch_mask=config:36-47 fc_mask=config:48-50"

/* All that is above a file; a file with one line, whose path is freed. */
void make_directories(const char *path);
void put_file(char *path, const char *line);

/* A PMU with these fields, "name=format" with blanks between. */
void put_pmu(const char *name, const char *type, const char *cpumask,
             const char *fields);

/* A server of two sockets, with these fields of its CHA and IIO. */
void put_machine(const char *cha, const char *iio);

/* What is counted there by one of our tables; the test fails if nothing is. */
void plan_of(struct pmu_plan *plan, const char *table,
             const struct pmu_choice *choice);

/* Of cmocka: a test that begins in an empty directory. */
int enter_machine(void **state);

#define MACHINE_TEST(f)                                                        \
	cmocka_unit_test_setup_teardown(f, enter_machine, leave_scratch)

#endif
