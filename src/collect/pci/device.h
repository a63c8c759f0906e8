/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PCI functions for backends: finding, listing and describing them. */
#ifndef PCB_COLLECT_PCI_DEVICE_H
#define PCB_COLLECT_PCI_DEVICE_H

#include "collect/core/session.h"
#include "common/pci/tree.h"
#include "common/stream/preamble.h"

/*
 * The tree of this machine for the probes of all backends, which is read once;
 * NULL, with errno, if there is none.
 */
const struct pci_tree *probe_tree(void);

/* The tree of this machine; NULL after fail(). Free with pci_tree_free. */
struct pci_tree *function_tree(struct session *s);

/* The function of a tree with this full BDF, or NULL after fail(). */
const struct pci_function *
function_find(struct session *s, const struct pci_tree *tree, const char *bdf);

/*
 * Reads the machine's tree, which the caller frees in any case, and finds the
 * function that the request names for this backend. NULL after fail().
 */
const struct pci_function *
function_named(struct session *s, const char *backend, struct pci_tree **tree);

/* Sets the key columns of a function: kind, device, link and parent. */
void pci_identify(struct series *series, const char *kind,
                  const struct pci_function *f);

/*
 * Appends the finding of a function, with all known texts; the backend adds the
 * benches or the reason against them.
 */
struct finding *function_found(struct findings *list, const char *backend,
                               const struct pci_function *f);

/*
 * Reads the tree again and records DEVICE_NAMES and the current "aspm",
 * "driver" and "runtime_pm" of every function on the paths from the root to n
 * functions of the tree, and under "doctor" the certain findings of
 * pcb-doctor(1) there.
 */
void pci_describe_paths(struct preamble *pre, const struct pci_tree *tree,
                        const struct pci_function *const function[], size_t n);

#endif
