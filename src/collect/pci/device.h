/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PCI functions for backends. */
#ifndef PCB_COLLECT_PCI_DEVICE_H
#define PCB_COLLECT_PCI_DEVICE_H

#include "collect/core/finding.h"
#include "collect/core/session.h"
#include "common/pci/tree.h"

/* The tree below `sysfs`; NULL after fail(). Free with pci_tree_free. */
struct pci_tree *function_tree(struct session *s, const char *sysfs);

/* The function of a tree with this full BDF, or NULL after fail(). */
const struct pci_function *
function_find(struct session *s, const struct pci_tree *tree, const char *bdf);

/* Sets the key columns of a function: kind, device, link and parent. */
void pci_identify(struct series *series, const char *kind,
                  const struct pci_function *f);

/*
 * Appends the finding of a function, with all known texts; the backend adds the
 * benches or the reason against them.
 */
struct finding *function_found(struct findings *list, const char *backend,
                               const struct pci_function *f);

#endif
