/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Growing arrays, comma-separated lists, and lists of words. */
#ifndef PCB_COMMON_BASE_LIST_H
#define PCB_COMMON_BASE_LIST_H

#include "common/base/xalloc.h"

/*
 * Appends an item to an array (at first NULL, with n = 0) and increments n;
 * dies when memory is out. Free the array with free().
 */
#define array_push(array, n, ...)                                              \
	((array) = xreallocarray((array), (n) + 1, sizeof *(array)),           \
	 (array)[(n)++] = (__VA_ARGS__))

/*
 * Splits a comma-separated list. Returns at least one item, possibly "", and
 * then NULL, all in one block of memory: free the result with free().
 */
char **list_split(const char *list);

/* The index of `text` in the list of n words, or n. */
size_t find_word(const char *text, const char *const word[], size_t n);

#endif
