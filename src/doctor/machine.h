/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine as a whole: what its devices share, and what it has lost. */
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

/*
 * Adds a finding for all that the tree lacks of the one in a dump: devices,
 * links, settings. Functions are at the same place if the devices and functions
 * from the root bus down are; bus numbers do not count. Sets d->examined to the
 * number of links, d->unseen to that of links which only the dump shows.
 */
void manifest_compare(struct doctor *d, const char *file);

/* Writes such a dump of this machine or a copy of sysfs, as lspci -xxxx does.
 */
void manifest_save(const struct pci_tree *tree, const char *file);

#endif
