/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instructions by which the CPU writes and reads memory of a device. */
#ifndef PCB_COLLECT_HOST_STORE_H
#define PCB_COLLECT_HOST_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Accesses of 4, 8, 16, 32 and 64 bytes. */
#define STORE_WIDTHS 5
#define STORE_WIDEST 64

/*
 * Write or read `bytes`, a multiple of the width, one access after the other,
 * from the lowest address to the highest. What is in device memory is aligned
 * to the width.
 */
typedef void store_write(volatile void *to, const void *from, size_t bytes);
typedef void store_read(void *to, const volatile void *from, size_t bytes);

/* What has an access of 4 << i bytes has its function at i, else NULL. */
struct store {
	const char *name;       /* of -O store, and in the column `store` */
	bool (*is_there)(void); /* whether CPU and kernel know it */
	store_write *write[STORE_WIDTHS];
	store_read *read[STORE_WIDTHS];
};

/*
 * Those of this architecture, from narrow to wide, ended by NULL; the first is
 * "mov", which every CPU has.
 */
extern const struct store *const stores[];

/* The store of this name, or NULL. */
const struct store *store_find(const char *name);

/*
 * The widest access for transfers of `size` bytes: i of the tables above, or
 * STORE_WIDTHS if there is none that divides them.
 */
size_t store_width(const struct store *store, uint64_t size, bool writes);

/* The widest of those that this CPU has that write and read every width. */
const struct store *store_default(void);

/* Their names with ", " between, to free. */
char *store_names(void);

#endif
