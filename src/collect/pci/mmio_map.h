/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Maps device memory, which the kernel may take away. */
#ifndef PCB_COLLECT_PCI_MMIO_MAP_H
#define PCB_COLLECT_PCI_MMIO_MAP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Maps `size` bytes at `at` of the file, read-only unless `writable`; NULL with
 * errno. If the kernel takes a page away (SIGBUS), as when the device is
 * removed, the page reads all ones from then on, like a removed device, and
 * loses writes.
 */
volatile void *mmio_map(int fd, off_t at, size_t size, bool writable);

/* NULL does nothing. */
void mmio_unmap(volatile void *map);

/* Whether the kernel has taken away a page of any mapping. */
bool mmio_lost(void);

#endif
