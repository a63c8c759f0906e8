/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a BAR maps, as the kernel's files show it. */
#ifndef PCB_COLLECT_PCI_BAR_H
#define PCB_COLLECT_PCI_BAR_H

#include "collect/core/session.h"
#include "common/pci/tree.h"

#define BARS 6

/* One BAR, by its line in the file `resource` of a function. */
struct bar {
	uint64_t start, size; /* bytes; size 0: there is none */
	bool memory;          /* and not I/O ports */
	bool prefetchable;    /* memory whose reads have no side effects */
};

/*
 * All six BARs of a function; empty ones where the file cannot be read. Dies
 * where memory or descriptors have run out.
 */
void bars_read(const struct pci_tree *tree, const struct pci_function *f,
               struct bar bars[BARS]);

/*
 * Opens the kernel's file of a BAR, "resource2" or with `suffix` "_wc" the one
 * that is mapped write-combined: a descriptor to close, or -1 with errno.
 */
int bar_open(const struct pci_tree *tree, const struct pci_function *f, int bar,
             const char *suffix, int flags);

/*
 * Whether the function answers for its memory: bit 1 of Command. A virtual one,
 * which answers all ones for its IDs, has its memory on with the others of its
 * physical function (PCIe Base Specification 9.3.4.1.3): where it is, that is.
 */
bool bar_memory_is_on(const struct pci_tree *tree,
                      const struct pci_function *f);

/* False after fail() if the memory is off, with what turns it on. */
bool bar_check_memory(struct session *s, const struct pci_tree *tree,
                      const struct pci_function *f, int bar);

/*
 * Returns false after fail(): says what errno means where the file of a BAR
 * was opened or mapped, and how to get past it.
 */
bool bar_refused(struct session *s, const struct pci_function *f, int bar);

#endif
