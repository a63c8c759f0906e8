/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where config space is in memory, as firmware tells. */
#ifndef PCB_COLLECT_PIO_ACPI_MCFG_H
#define PCB_COLLECT_PIO_ACPI_MCFG_H

#include "common/pci/tree.h"

/*
 * The physical address of a function's config space, by the ACPI table MCFG
 * (PCI Firmware Specification 3.3, 4.1.2): that of the segment's bus 0, and
 * 1 MiB for each bus, 32 KiB for each device, 4 KiB for each function. Takes
 * the table's bytes. Returns NULL and sets *address, or returns the reason (a
 * constant): it is no such table, or there is no such bus in it.
 */
const char *mcfg_find(const unsigned char *table, size_t size,
                      const struct bdf_numbers *bdf, uint64_t *address);

/*
 * Whether a text like /proc/iomem has an ECAM window of the kernel with this
 * address. The kernel ignores tables of the firmware that no other table
 * confirms, and elsewhere a read may hit anything. Dies if memory or
 * descriptors are exhausted.
 */
bool mcfg_is_used(const char *iomem, uint64_t address);

#endif
