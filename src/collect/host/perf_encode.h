/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Encodes the fields of a perf event into the words of the kernel. */
#ifndef PCB_COLLECT_HOST_PERF_ENCODE_H
#define PCB_COLLECT_HOST_PERF_ENCODE_H

#include <stdbool.h>
#include <stdint.h>

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
