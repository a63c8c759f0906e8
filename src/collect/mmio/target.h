/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory of devices where a write is harmless. */
#ifndef PCB_COLLECT_MMIO_TARGET_H
#define PCB_COLLECT_MMIO_TARGET_H

#include "collect/mmio/access.h"

/* Whether functions of this kind may have such memory. */
bool target_may_be(const struct pci_function *f);

/* Memory that the kind of device or its registers tell. */
struct target {
	const char *what; /* "CMB"; NULL: there is none */
	struct mmio_range range;
};

/*
 * Finds the range that may be overwritten, on an open device. `wanted` is the
 * range that the user named; with size 0, the function takes the beginning of
 * memory that it recognises. False after fail().
 */
bool target_find(struct session *s, const struct mmio_access *a,
                 const struct mmio_range *wanted, struct target *target);

#endif
