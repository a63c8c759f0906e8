/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The certain findings about a device in one line. */
#ifndef PCB_COMMON_DOCTOR_SUMMARY_H
#define PCB_COMMON_DOCTOR_SUMMARY_H

#include "common/pci/tree.h"

/*
 * The certain findings of the functions chosen, "link_width 0000:03:00.0: the
 * link ... ; ...", or NULL if there are none; free it. `chosen` has an element
 * for each function of the tree.
 */
char *doctor_summary(const struct pci_tree *tree, const bool *chosen,
                     bool virtual_machine);

#endif
