/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lengths of arrays and attributes of functions. */
#ifndef PCB_COMMON_BASE_MACROS_H
#define PCB_COMMON_BASE_MACROS_H

#include <stddef.h>

#define ARRAY_LEN(a)         (sizeof(a) / sizeof(*(a)))
#define PRINTF_LIKE(fmt, va) __attribute__((format(printf, fmt, va)))
#define NEVER_NULL           __attribute__((returns_nonnull))

#endif
