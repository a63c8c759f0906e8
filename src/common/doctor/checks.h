/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checks of one function, and their helpers. */
#ifndef PCB_COMMON_DOCTOR_CHECKS_H
#define PCB_COMMON_DOCTOR_CHECKS_H

#include "common/doctor/examined.h"

/* Each check adds its findings about the function or the link above it. */
void doctor_check_link(struct doctor *d, const struct pci_function *f);
void doctor_check_payload(struct doctor *d, const struct pci_function *f);
void doctor_check_requests(struct doctor *d, const struct pci_function *f);
void doctor_check_aspm(struct doctor *d, const struct pci_function *f);
void doctor_check_acs(struct doctor *d, const struct pci_function *f);
void doctor_check_errors(struct doctor *d, const struct pci_function *f);
void doctor_check_state(struct doctor *d, const struct pci_function *f);

/* The port at the other end of a function's link, or NULL. */
const struct pci_function *doctor_port_above(const struct doctor *d,
                                             const struct pci_function *f);

/* The root port above a function, or NULL. */
const struct pci_function *doctor_root_port(const struct doctor *d,
                                            const struct pci_function *f);

/* Device classes: graphics and accelerators; NICs; NVMe controllers. */
bool doctor_is_gpu(const struct pci_function *f);
bool doctor_is_nic(const struct pci_function *f);
bool doctor_is_nvme(const struct pci_function *f);

/* Whether the function is fast enough for its settings to matter. */
bool doctor_is_fast(const struct pci_function *f);

/* The BDF for commands: without the domain if that is 0. */
const char *doctor_short_bdf(const struct pci_function *f);

/* Sets the pcb-collect command that measures the cost of a finding. */
void doctor_prove(struct doctor_finding *row, const struct pci_function *f);

#endif
