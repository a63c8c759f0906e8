/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses the instruction with which the CPU accesses device memory. */
#ifndef PCB_COLLECT_HOST_STORE_H
#define PCB_COLLECT_HOST_STORE_H

#include "collect/host/store_table.h"

/* The store called `name`, or NULL. */
const struct store *store_find(const char *name);

/*
 * The index of the widest access that divides transfers of `size` bytes;
 * STORE_WIDTHS if none does.
 */
size_t store_width(const struct store *store, uint64_t size, bool writes);

/* The widest store here that writes and reads all multiples of 4 bytes. */
const struct store *store_default(void);

/* The names of all stores, separated by ", "; free the text. */
char *store_names(void);

#endif
