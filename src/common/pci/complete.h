/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Completes functions by facts of other sources than their registers. */
#ifndef PCB_COMMON_PCI_COMPLETE_H
#define PCB_COMMON_PCI_COMPLETE_H

#include "common/pci/registers.h"

/*
 * Adds the functions that only facts of /sys know, and the buses below bridges,
 * from the paths. The facts must be sorted; functions are then.
 */
void complete_functions(struct pci_tree *tree);

/*
 * Sets what registers do not show: class, IDs and node; and, of functions whose
 * capability cannot be read, ends of links and kinds of ports. The tree must be
 * connected. Kinds follow from places: below a root port is an endpoint or a
 * switch, below that its ports.
 */
void complete_links(struct pci_tree *tree);

#endif
