/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the preamble says about the machine. */
#ifndef PCB_COLLECT_HOST_DESCRIBE_H
#define PCB_COLLECT_HOST_DESCRIBE_H

#include "common/stream/preamble.h"

/*
 * The kind of what is measured on this machine, as `sysfs` shows it, after a
 * warning if that is "virtual": under a hypervisor nothing tells what is
 * emulated from what is not, and in a copy of a sysfs a file answers.
 */
const char *host_kind(const char *sysfs);

/*
 * The column "iommu" of a function with this full BDF: the type of its group;
 * "off" if the machine has none and is no guest, else "". Free it.
 */
char *host_iommu(const char *bdf);

/* Records "date", of now in UTC. */
void host_describe_date(struct preamble *pre);

/*
 * Kernel, CPU, hypervisor, IOMMU, power management: "key: value" lines for
 * what can be read; the rest is left out. For backends that measure.
 */
void host_describe(struct preamble *pre);

#endif
