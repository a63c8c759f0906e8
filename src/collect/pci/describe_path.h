/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Preamble lines about the path to a function. */
#ifndef PCB_COLLECT_PCI_DESCRIBE_PATH_H
#define PCB_COLLECT_PCI_DESCRIBE_PATH_H

#include "common/pci/tree.h"
#include "common/stream/preamble.h"

/* Whether f is on one of the paths that `arg` represents. */
typedef bool pci_path_has(const void *arg, const struct pci_function *f);

/*
 * Reads the tree again and records DEVICE_NAMES and the current "aspm",
 * "driver" and "runtime_pm" of every function on the paths, and under "doctor"
 * the certain findings of pcb-doctor(1) there.
 */
void pci_describe_paths(struct preamble *pre, const struct pci_tree *tree,
                        pci_path_has *has, const void *arg);

/* The same for the path from the root to one function of the tree. */
void pci_describe_path(struct preamble *pre, const struct pci_tree *tree,
                       const struct pci_function *function);

#endif
