/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the functions of this machine can be measured by. */
#ifndef PCB_COLLECT_PIO_PROBE_H
#define PCB_COLLECT_PIO_PROBE_H

#include "collect/core/backend.h"

/*
 * Adds a finding for each function of the tree under `sysfs`: config space can
 * be read of all, BARs where a register of one has been named, as by
 * -O register, or is known to be safe_only.
 */
void pci_probe(const char *sysfs, bool named, const char *backend,
               struct findings *list);

#endif
