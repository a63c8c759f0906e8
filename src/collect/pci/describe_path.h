/* What rows and preamble say about the way to a function. */
#ifndef PCB_COLLECT_PCI_DESCRIBE_PATH_H
#define PCB_COLLECT_PCI_DESCRIBE_PATH_H

#include "collect/pio/targets.h"

/*
 * Records "aspm", "driver" and "runtime_pm" of every hop from the root to a
 * function of the tree, as they are now: it is read once more.
 */
void pci_describe_path(struct preamble *pre, const struct pci_tree *tree,
                       const struct pci_function *function);

/*
 * The same for the targets; and "kernel_access", by what means the kernel
 * reads config space for sysfs, where all are read so and it tells.
 */
void pci_describe_targets(struct preamble *pre, const struct targets *targets);

#endif
