/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What costs bandwidth or latency besides single functions. */
#ifndef PCB_DOCTOR_MACHINE_H
#define PCB_DOCTOR_MACHINE_H

#include "common/doctor/doctor.h"

/*
 * Stores in *d whether the machine is virtual, and its uptime; adds findings
 * about that and about GPUs, NVMe drives and NICs together: shared_uplink,
 * remote_node. `chosen` has an element for each function, or is NULL for all; a
 * finding needs one of its devices among them.
 */
void machine_check(struct doctor *d, const bool *chosen);

/* Adds a finding about the IOMMU of a fast function of this machine. */
void machine_check_iommu(struct doctor *d, const struct pci_function *f);

#endif
