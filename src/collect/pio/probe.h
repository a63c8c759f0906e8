/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists the PCI functions that the CPU can read. */
#ifndef PCB_COLLECT_PIO_PROBE_H
#define PCB_COLLECT_PIO_PROBE_H

#include "collect/core/backend.h"

/*
 * Adds a finding for each function of the tree below `sysfs`: config space of
 * all is readable; a BAR is if a register is named, as by -O register, or is in
 * the table of safe ones.
 */
void pci_probe(const char *sysfs, bool named, const char *backend,
               struct findings *list);

#endif
