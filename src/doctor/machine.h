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

/*
 * Adds findings about GPUs, NVMe drives and NICs together: shared_uplink,
 * peer_path, remote_node. `chosen` has an element for each function, or is NULL
 * for all; a finding needs one of its devices among them.
 */
void shared_check(struct doctor *d, const bool *chosen);

#endif
