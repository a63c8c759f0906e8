/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Preamble lines about the machine. */
#ifndef PCB_COLLECT_HOST_DESCRIBE_H
#define PCB_COLLECT_HOST_DESCRIBE_H

#include "common/stream/preamble.h"

/*
 * The kind of what is measured on this machine, after a warning if it is
 * "virtual": under a hypervisor emulated devices cannot be told from real ones,
 * and in a copy of `sysfs` a file answers.
 */
const char *host_kind(const char *sysfs);

/*
 * The column "iommu" of the function with this full BDF: the type of its group;
 * "off" if the machine has none and is no guest, else "". Free it.
 */
char *host_iommu(const char *bdf);

/*
 * Records kernel, CPU, hypervisor, IOMMU and power management as far as they
 * can be read. For backends that measure.
 */
void host_describe(struct preamble *pre);

#endif
