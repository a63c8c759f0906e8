/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds a name in a list, in a time that does not grow with the list. */
#ifndef PCB_COMMON_BASE_NAME_LIST_H
#define PCB_COMMON_BASE_NAME_LIST_H

#include <stddef.h>
#include <stdint.h>

/* Different names, in order. Zero-initialise; release with name_list_free. */
struct name_list {
	const char **name;
	size_t n;

	/* Private. */
	uint32_t *slot; /* a hash table of indices + 1; 0: empty */
	size_t slots;   /* a power of two, more than 2 * n */
};

/* The index of a name, or n. */
size_t name_list_find(const struct name_list *l, const char *name);

/*
 * The same, but adds a name that is not there: its index is the old n. The list
 * keeps the pointer, not a copy.
 */
size_t name_list_add(struct name_list *l, const char *name);

void name_list_free(struct name_list *l);

#endif
