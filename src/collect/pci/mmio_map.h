/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers of a device that are mapped, until the kernel takes them away. */
#ifndef PCB_COLLECT_PCI_MMIO_MAP_H
#define PCB_COLLECT_PCI_MMIO_MAP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Maps `size` bytes at `at` of the file, to be read only unless `writable`;
 * NULL with errno. Where the kernel takes a page of it away (SIGBUS), as when
 * the device is removed, the page reads all ones from then on, as a device
 * does that is gone, and what is written to it is lost.
 */
volatile void *mmio_map(int fd, off_t at, size_t size, bool writable);

/* Takes NULL as well. */
void mmio_unmap(volatile void *map);

/* Whether a page of any of them has been taken away. */
bool mmio_lost(void);

#endif
