/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks PCI functions and the path to them; changes nothing. */
#ifndef PCB_COMMON_DOCTOR_DOCTOR_H
#define PCB_COMMON_DOCTOR_DOCTOR_H

#include "common/doctor/examined.h"

/* Examines one function and the link above it. */
void doctor_check_function(struct doctor *d, const struct pci_function *f);

#endif
