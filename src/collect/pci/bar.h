/* SPDX-License-Identifier: GPL-2.0-or-later */
/* BARs and their files in sysfs. */
#ifndef PCB_COLLECT_PCI_BAR_H
#define PCB_COLLECT_PCI_BAR_H

#include "collect/core/session.h"
#include "common/pci/tree.h"

#include <sys/types.h>

#define BARS 6

/* A BAR, from its line in the file `resource` of a function. */
struct bar {
	uint64_t start, size; /* bytes; size 0: no BAR */
	bool memory;          /* not I/O ports */
	bool prefetchable;    /* reads have no side effects */
};

/*
 * Reads all six BARs of a function; they are empty if the file cannot be read.
 * Dies if memory or descriptors are out.
 */
void bars_read(const struct pci_function *f, struct bar bars[BARS]);

/*
 * Opens the file of a BAR, such as "resource2"; with the suffix "_wc", the
 * write-combined one. Returns a descriptor to close, or -1 with errno.
 */
int bar_open(const struct pci_function *f, int bar, const char *suffix,
             int flags);

/*
 * Whether the function responds to memory requests: bit 1 of Command. A virtual
 * function, whose IDs read all ones, always does, because its physical function
 * has the bit for all (PCIe Base Specification 9.3.4.1.3). What cannot be read
 * (ID 0) may.
 */
bool bar_memory_is_on(const struct pci_function *f);

/* False after fail(), with the remedy, if memory is disabled. */
bool bar_check_memory(struct session *s, const struct pci_function *f, int bar);

/*
 * Fails with the meaning of errno for a BAR that could not be opened or mapped,
 * and the remedy. Always false.
 */
bool bar_refused(struct session *s, const struct pci_function *f, int bar);

/* Whether the kernel reports that it is locked down. */
bool kernel_is_locked_down(void);

/*
 * Maps `size` bytes at `at` of the file, which need not start a page, read-only
 * unless `writable`; NULL with errno. If the kernel takes a page away (SIGBUS),
 * as when the device is removed, the page reads all ones from then on, like a
 * removed device, and loses writes.
 */
volatile void *mmio_map(int fd, off_t at, size_t size, bool writable);

/* NULL does nothing. */
void mmio_unmap(const volatile void *map);

/* Whether the kernel has taken away a page of any mapping. */
bool mmio_lost(void);

#endif
