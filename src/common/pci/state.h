/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of a link: as it is, as it could be, and as it is while awake. */
#ifndef PCB_COMMON_PCI_STATE_H
#define PCB_COMMON_PCI_STATE_H

#include "common/pci/tree.h"

/*
 * Sets could_gen, could_lanes and awake_gen of all functions of a tree, by the
 * registers of both ends, or of that end which is seen. A link sleeps if it is
 * slower than it could be, and its function is in D1 to D3, an end says that
 * hardware changed the link by itself, or a GPU is below and it runs at 2.5
 * GT/s, to which drivers lower it at rest. What sleeps is awake at the rate
 * that both ends support, but not above the target speed of the port, if that
 * is above the rate now.
 */
void pci_find_states(struct pci_tree *tree);

/*
 * The link above a function while data moves. A sleeping link has another rate
 * then, but as many lanes. BUS_UNKNOWN if the link is unknown.
 */
struct link pci_awake_link(const struct pci_function *f);

/* Whether the link above a function sleeps. */
bool pci_link_sleeps(const struct pci_function *f);

#endif
