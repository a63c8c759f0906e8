/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the preamble says about the path to a function. */
#ifndef PCB_COLLECT_PCI_DESCRIBE_PATH_H
#define PCB_COLLECT_PCI_DESCRIBE_PATH_H

#include "common/pci/tree.h"
#include "common/stream/preamble.h"

/* Whether f is on one of the paths that `arg` stands for. */
typedef bool pci_path_has(const void *arg, const struct pci_function *f);

/*
 * Records DEVICE_NAMES, "aspm", "driver" and "runtime_pm" of every function on
 * the paths, as they are now: the tree is read once more; and under "doctor"
 * what is certainly wrong there, pcb-doctor(1).
 */
void pci_describe_paths(struct preamble *pre, const struct pci_tree *tree,
                        pci_path_has *has, const void *arg);

/* The same for the path from the root to one function of the tree. */
void pci_describe_path(struct preamble *pre, const struct pci_tree *tree,
                       const struct pci_function *function);

#endif
