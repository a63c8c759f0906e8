/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The instructions with which the CPU loads and stores device memory. */
#ifndef PCB_COLLECT_HOST_STORE_H
#define PCB_COLLECT_HOST_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Widths of 4, 8, 16, 32 and 64 bytes. */
#define STORE_WIDTHS 5
#define STORE_WIDEST 64

/*
 * Writes or reads `bytes`, a multiple of the width, in ascending order of
 * addresses. The device address is a multiple of the width.
 */
typedef void store_copy(volatile void *to, const volatile void *from,
                        size_t bytes);

/* Function i accesses 4 << i bytes at a time; NULL if not supported. */
struct store {
	const char *name;       /* in -O store and in the column `store` */
	bool (*is_there)(void); /* whether CPU and kernel support it */
	store_copy *copy[STORE_WIDTHS];
	bool reads; /* not only writes */
};

/*
 * The stores of this architecture, from narrow to wide, ended by NULL. The
 * first is "mov", which every CPU supports.
 */
extern const struct store *const stores[];

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
