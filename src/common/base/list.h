/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays that grow, and lists with commas between their items. */
#ifndef PCB_COMMON_BASE_LIST_H
#define PCB_COMMON_BASE_LIST_H

#include "common/base/xalloc.h"

/*
 * Appends an item to an array of `n` (NULL and 0 at first) and counts it; dies
 * when memory is out. The array is to be freed with free().
 */
#define array_push(array, n, ...)                                              \
	((array) = xreallocarray((array), (n) + 1, sizeof *(array)),           \
	 (array)[(n)++] = (__VA_ARGS__))

/*
 * The items of a list with commas between them, ended by NULL: at least one,
 * which may be empty. The array and its texts are one piece of memory, to be
 * freed with free().
 */
char **list_split(const char *list);

#endif
