/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The PCI functions of this machine, found and decoded through libpci. */
#ifndef PCB_COMMON_PCI_TREE_H
#define PCB_COMMON_PCI_TREE_H

#include "common/pci/function.h"

/*
 * Reads the tree under `sysfs` ("/sys/bus/pci", or a copy of it). NULL, with
 * errno, if there is no such directory; a machine without PCI has n = 0. An
 * ordinary user sees only the first 64 bytes of config space: links and ASPM
 * are then unknown. Free with pci_tree_free.
 */
struct pci_tree *pci_tree_read(const char *sysfs);

/*
 * Reads what `lspci -x`, -xxx or -xxxx printed into a file ("-" is stdin), or
 * -vv without bytes. Values that the file lacks are unknown: nodes always;
 * drivers except with -vv; with -vv, device IDs and classes without a name.
 * Dies if the file cannot be read, is no such text or has a function twice. A
 * file without functions gives n = 0.
 */
struct pci_tree *pci_tree_read_dump(const char *file);

void pci_tree_free(struct pci_tree *tree);

/*
 * Vendor and device in words, or in numbers where the id database lacks them;
 * free the result. The first call reads the database, for up to 50 ms.
 */
char *pci_name(uint16_t vendor_id, uint16_t device_id);

/* The function with this full BDF, or NULL. */
const struct pci_function *pci_find(const struct pci_tree *tree,
                                    const char *bdf);

/* Whether one function of a tree is the other one, or lies below it. */
bool pci_is_below(const struct pci_tree *tree, const struct pci_function *f,
                  const struct pci_function *above);

#endif
