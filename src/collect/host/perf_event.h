/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf_event_open(2), which the C library lacks. */
#ifndef PCB_COLLECT_HOST_PERF_EVENT_H
#define PCB_COLLECT_HOST_PERF_EVENT_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Opens an event of a process (-1: all) on a CPU (-1: any), in the group of a
 * descriptor (-1: none). Returns a descriptor to close, or -1 with errno.
 */
int perf_open(struct perf_event_attr *attr, pid_t process, int cpu, int group);

/* config, config1 and config2 of struct perf_event_attr. */
struct pmu_config {
	uint64_t word[3];
};

/*
 * Puts a value into the bits that a file of a PMU's format directory names:
 * "config:0-7", "config1:41-50", "config:8-15,32-55" (low bits first). Returns
 * NULL, or why that is not possible.
 */
const char *pmu_put(struct pmu_config *config, const char *format,
                    uint64_t value);

/*
 * Encodes the terms of an event, "event=0x35,umask=0x4", with the files in
 * `pmu`, the PMU's directory in sysfs. A term without a value is a name in its
 * directory events/, ignoring case, or a field to set to 1; "config=0x10210" is
 * a whole word. False, with the reason in *why; free it.
 */
bool pmu_encode(const char *pmu, const char *terms, struct pmu_config *config,
                char **why);

#endif
