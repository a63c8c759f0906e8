/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses the instruction by which the CPU accesses memory of a device. */
#ifndef PCB_COLLECT_HOST_STORE_H
#define PCB_COLLECT_HOST_STORE_H

#include "collect/host/store_table.h"

/* The store of this name, or NULL. */
const struct store *store_find(const char *name);

/*
 * The index of the widest access that divides transfers of `size` bytes, or
 * STORE_WIDTHS if none does.
 */
size_t store_width(const struct store *store, uint64_t size, bool writes);

/* The widest store of this CPU that writes and reads all sizes from 4 bytes. */
const struct store *store_default(void);

/* The names of all stores with ", " between, to free. */
char *store_names(void);

#endif
