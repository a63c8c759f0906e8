/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the fields of an event to the words that the kernel takes. */
#ifndef PCB_COLLECT_HOST_PERF_ENCODE_H
#define PCB_COLLECT_HOST_PERF_ENCODE_H

#include <stdbool.h>
#include <stdint.h>

/* config, config1 and config2 of struct perf_event_attr. */
struct pmu_config {
	uint64_t word[3];
};

/*
 * Puts a value where a file of a PMU's format directory says its field is:
 * "config:0-7", "config1:41-50", "config:8-15,32-55" (low bits first).
 * Returns NULL, or the reason why that cannot be.
 */
const char *pmu_put(struct pmu_config *config, const char *format,
                    uint64_t value);

/*
 * Encodes the terms of an event, "event=0x35,umask=0x4", by the files below
 * `pmu`, the directory of a PMU in sysfs. A term without a value is a name
 * from its directory events/, in capitals or not, or a field that is set to
 * 1; "config=0x10210" is a whole word. False if that cannot be, with the
 * reason in *why, to be freed.
 */
bool pmu_encode(const char *pmu, const char *terms, struct pmu_config *config,
                char **why);

#endif
