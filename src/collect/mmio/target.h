/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory of devices that may be overwritten. */
#ifndef PCB_COLLECT_MMIO_TARGET_H
#define PCB_COLLECT_MMIO_TARGET_H

#include "collect/mmio/access.h"

/* Whether functions of this kind may have such memory. */
bool target_may_be(const struct pci_function *f);

/* Memory that the device's kind or registers identify. */
struct target {
	const char *what; /* "CMB"; NULL: none */
	struct mmio_range range;
};

/*
 * Finds the range to overwrite, on an open device. `wanted` is the range that
 * the user named; with size 0, uses the start of memory that it recognises.
 * False after fail().
 */
bool target_find(struct session *s, const struct mmio_access *a,
                 const struct mmio_range *wanted, struct target *target);

#endif
