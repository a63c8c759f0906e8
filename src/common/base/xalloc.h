/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory and formatted texts, or the end of the program. */
#ifndef PCB_COMMON_BASE_XALLOC_H
#define PCB_COMMON_BASE_XALLOC_H

#include "common/base/macros.h"

#include <stdarg.h>
#include <stddef.h>

/* As their namesakes in the C library, but they die when memory is out. */
void *xmalloc(size_t size) NEVER_NULL;
void *xcalloc(size_t n, size_t size) NEVER_NULL;
void *xreallocarray(void *old, size_t n, size_t size) NEVER_NULL;
char *xstrdup(const char *text) NEVER_NULL;
char *xasprintf(const char *fmt, ...) PRINTF_LIKE(1, 2) NEVER_NULL;
char *xvasprintf(const char *fmt, va_list ap) PRINTF_LIKE(1, 0) NEVER_NULL;

/*
 * Appends a formatted item to *list, which is NULL or "" at first and to be
 * freed, with `between` before it if it is not the first. Dies as those do.
 */
void xappend(char **list, const char *between, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

#endif
