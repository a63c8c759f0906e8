/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The trace of --debug and PCB_DEBUG, off by default. */
#ifndef PCB_COMMON_BASE_DEBUG_H
#define PCB_COMMON_BASE_DEBUG_H

#include "common/base/macros.h"

/* Categories of the trace, as bits of debug_mask; pcb-tools(7) describes them.
 */
enum debug_category {
	DEBUG_ACCESS = 1 << 0,
	DEBUG_EDU = 1 << 1,
	DEBUG_I210 = 1 << 2,
	DEBUG_NVME = 1 << 3,
	DEBUG_PCI = 1 << 4,
	DEBUG_PMU = 1 << 5,
	DEBUG_RESTORE = 1 << 6,
	DEBUG_ROWS = 1 << 7,
	DEBUG_VFIO = 1 << 8,
};

/* The categories that are on. Written by debug_enable only. */
extern unsigned debug_mask;

/*
 * Writes the line "debug: vfio: TEXT" if the category is on, to stderr or the
 * end of the file of PCB_DEBUG_FILE; else it costs the test of debug_mask, and
 * the arguments are not evaluated. errno stays as it is. Not for code that is
 * timed.
 */
#define debug(category, ...)                                                   \
	((debug_mask & (unsigned)(category))                                   \
	     ? debug_print(category, __VA_ARGS__)                              \
	     : (void)0)

/*
 * Turns on the categories of a comma-separated list; "all" is every one. An
 * unknown one is a usage error that lists them; `source` is the option or
 * variable that the list is from.
 */
void debug_enable(const char *source, const char *list);

/*
 * Traces what came of a call, "CALL = RESULT" with the text of errno where it
 * is negative, and returns the result; errno stays as it is.
 */
int debug_result(enum debug_category category, const char *call, int result);

/* For debug(). */
void debug_print(enum debug_category category, const char *fmt, ...)
    PRINTF_LIKE(2, 3);

#endif
