/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of CPUs in the kernel's notation: "0-3,8". */
#ifndef PCB_COMMON_SYS_CPULIST_H
#define PCB_COMMON_SYS_CPULIST_H

#include <stdbool.h>
#include <stddef.h>

/* In the order of the text; free the array. */
struct cpulist {
	unsigned *cpu;
	size_t n;
};

/*
 * Parses a list. False if the text is none, "" or NULL; the list is empty then.
 */
bool cpulist_parse(const char *text, struct cpulist *list);

#endif
