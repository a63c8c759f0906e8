/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is certainly wrong on the way to a device, in a line. */
#ifndef PCB_COMMON_DOCTOR_SUMMARY_H
#define PCB_COMMON_DOCTOR_SUMMARY_H

#include "common/pci/tree.h"

/*
 * The certain findings of these functions of a tree, "link_width 0000:03:00.0:
 * the link ... ; ...", or NULL if there are none; free it. `chosen` has one for
 * each function.
 */
char *doctor_summary(const struct pci_tree *tree, const bool *chosen,
                     bool virtual_machine);

#endif
