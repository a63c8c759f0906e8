/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the PCI functions that a user means. */
#ifndef PCB_COMMON_PCI_MATCH_H
#define PCB_COMMON_PCI_MATCH_H

#include "common/pci/tree.h"

/* Functions of a tree, in its order. */
struct pci_matches {
	const struct pci_function **item; /* free the array */
	size_t n;
};

/*
 * Finds the functions that a text names:
 *   a BDF                       03:00.0, 0000:03:00.0; 03:00 is function 0
 *   vendor and device ID        8086:1533, all functions with these IDs
 *   a device of the kernel      eth0, nvme0, /dev/nvme0n1, mlx5_0, card0: the
 *                               function above it in /sys/class
 * Kernel names work only for the tree of this machine, not for a dump. Returns
 * NULL, or why nothing matches (a constant); n is 0 then.
 */
const char *pci_match(const struct pci_tree *tree, const char *text,
                      struct pci_matches *found);

#endif
