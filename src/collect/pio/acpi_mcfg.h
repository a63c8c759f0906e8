/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The address of config space in memory, from firmware. */
#ifndef PCB_COLLECT_PIO_ACPI_MCFG_H
#define PCB_COLLECT_PIO_ACPI_MCFG_H

#include "common/pci/tree.h"

/*
 * Computes the physical address of a function's config space from the bytes of
 * the ACPI table MCFG (PCI Firmware Specification 3.3, 4.1.2): that of the
 * segment's bus 0, plus 1 MiB per bus, 32 KiB per device, 4 KiB per function.
 * Returns NULL and sets *address, or returns the reason (a constant): the table
 * is invalid, or has no such bus.
 */
const char *mcfg_find(const unsigned char *table, size_t size,
                      const struct bdf_numbers *bdf, uint64_t *address);

/*
 * Whether a text like /proc/iomem has an ECAM window of the kernel with this
 * address. The kernel ignores windows that no other firmware table confirms:
 * reads there may hit anything. Dies if memory or descriptors are out.
 */
bool mcfg_is_used(const char *iomem, uint64_t address);

#endif
