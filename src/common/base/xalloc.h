/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Allocation and formatting that die when memory is out. */
#ifndef PCB_COMMON_BASE_XALLOC_H
#define PCB_COMMON_BASE_XALLOC_H

#include "common/base/macros.h"

#include <stdarg.h>
#include <stddef.h>

/* Like their namesakes in the C library, but die when memory is out. */
void *xmalloc(size_t size) NEVER_NULL;
void *xcalloc(size_t n, size_t size) NEVER_NULL;
void *xreallocarray(void *old, size_t n, size_t size) NEVER_NULL;
char *xstrdup(const char *text) NEVER_NULL;
char *xasprintf(const char *fmt, ...) PRINTF_LIKE(1, 2) NEVER_NULL;
char *xvasprintf(const char *fmt, va_list ap) PRINTF_LIKE(1, 0) NEVER_NULL;

/*
 * Appends a formatted item to *list, after `between` unless it is the first.
 * *list is NULL or "" at first; free it. Dies when memory is out.
 */
void xappend(char **list, const char *between, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

#endif
