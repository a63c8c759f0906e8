/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory of devices where a write is harmless. */
#ifndef PCB_COLLECT_MMIO_TARGET_H
#define PCB_COLLECT_MMIO_TARGET_H

#include "collect/mmio/access.h"

/* Whether the function is of a kind that may have such memory. */
bool target_may_be(const struct pci_function *f);

/* Memory that is known by what the device is. */
struct target {
	const char *what; /* "CMB"; NULL: there is none */
	struct mmio_range range;
};

/*
 * Finds the range that may be overwritten. `wanted` has what the user named, or
 * a size of 0: then the range is the beginning of memory that is known. An open
 * device is asked for its registers. False after fail().
 */
bool target_find(struct session *s, const struct mmio_access *a,
                 const struct mmio_range *wanted, struct target *target);

#endif
