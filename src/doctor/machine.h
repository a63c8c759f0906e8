/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What costs bandwidth or latency besides PCI functions. */
#ifndef PCB_DOCTOR_MACHINE_H
#define PCB_DOCTOR_MACHINE_H

#include "common/doctor/doctor.h"

/* Stores in *d whether the machine is virtual, and its uptime. */
void machine_read(struct doctor *d);

/* Adds findings about CPUs and the kernel. */
void machine_check(struct doctor *d);

/* Adds findings about a function's IOMMU and NUMA node. */
void machine_check_function(struct doctor *d, const struct pci_function *f);

#endif
