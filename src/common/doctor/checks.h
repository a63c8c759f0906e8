/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checks of one function, and what they share. */
#ifndef PCB_COMMON_DOCTOR_CHECKS_H
#define PCB_COMMON_DOCTOR_CHECKS_H

#include "common/doctor/examined.h"

/* Each adds what it finds about the function, or about the link above it. */
void doctor_check_link(struct doctor *d, const struct pci_function *f);
void doctor_check_payload(struct doctor *d, const struct pci_function *f);
void doctor_check_requests(struct doctor *d, const struct pci_function *f);
void doctor_check_aspm(struct doctor *d, const struct pci_function *f);
void doctor_check_acs(struct doctor *d, const struct pci_function *f);
void doctor_check_errors(struct doctor *d, const struct pci_function *f);
void doctor_check_state(struct doctor *d, const struct pci_function *f);

/* The port that the link of a function ends at, or NULL. */
const struct pci_function *doctor_port_above(const struct doctor *d,
                                             const struct pci_function *f);

/* The root port above it, or NULL. */
const struct pci_function *doctor_root_port(const struct doctor *d,
                                            const struct pci_function *f);

/* Classes: of graphics and accelerators; of network cards; of NVMe. */
bool doctor_is_gpu(const struct pci_function *f);
bool doctor_is_nic(const struct pci_function *f);
bool doctor_is_nvme(const struct pci_function *f);

/* Whether it moves data fast enough for its settings to matter. */
bool doctor_is_fast(const struct pci_function *f);

/* The BDF as commands take it, without a domain of 0. */
const char *doctor_short_bdf(const struct pci_function *f);

/* Sets the command of pcb-collect that shows what a finding costs. */
void doctor_prove(struct doctor_finding *row, const struct pci_function *f);

#endif
