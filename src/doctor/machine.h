/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What of a machine, besides its PCI functions, costs bandwidth or latency. */
#ifndef PCB_DOCTOR_MACHINE_H
#define PCB_DOCTOR_MACHINE_H

#include "common/doctor/doctor.h"

/* Reads whether the machine is virtual and how long it is up, into *d. */
void machine_read(struct doctor *d);

/* Adds what it finds about CPUs and the kernel. */
void machine_check(struct doctor *d);

/* Adds what it finds about a function's place: IOMMU and NUMA node. */
void machine_check_function(struct doctor *d, const struct pci_function *f);

#endif
