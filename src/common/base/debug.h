/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The trace of --debug and PCB_DEBUG, off by default. */
#ifndef PCB_COMMON_BASE_DEBUG_H
#define PCB_COMMON_BASE_DEBUG_H

#include "common/base/util.h"

/*
 * Categories of the trace, as bits of debug_mask; pcb-tools(7) describes them.
 * DEBUG_DEVICE is what a backend has its device do.
 */
enum debug_category {
	DEBUG_ACCESS = 1 << 0,
	DEBUG_DEVICE = 1 << 1,
	DEBUG_PCI = 1 << 2,
	DEBUG_PMU = 1 << 3,
	DEBUG_RESTORE = 1 << 4,
	DEBUG_ROWS = 1 << 5,
	DEBUG_VFIO = 1 << 6,
};

/* The enabled categories. Only debug_enable writes it. */
extern unsigned debug_mask;

/*
 * Writes the line "debug: vfio: TEXT" to stderr, or appends it to the file of
 * PCB_DEBUG_FILE, if the category is enabled; otherwise it only tests
 * debug_mask and evaluates no argument. Keeps errno. Not for code that is
 * timed.
 */
#define debug(category, ...)                                                   \
	((debug_mask & (unsigned)(category))                                   \
	     ? debug_print(category, __VA_ARGS__)                              \
	     : (void)0)

/*
 * Enables the categories of a comma-separated list; "all" enables every one. An
 * unknown category is a usage error that lists them all; `source` is the option
 * or variable with the list.
 */
void debug_enable(const char *source, const char *list);

/*
 * Traces a call and its result, "CALL = RESULT", with the text of errno if the
 * result is negative. Returns the result and keeps errno.
 */
int debug_result(enum debug_category category, const char *call, int result);

/* Called by debug() only. */
void debug_print(enum debug_category category, const char *fmt, ...)
    PRINTF_LIKE(2, 3);

#endif
