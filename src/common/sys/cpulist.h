/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of CPUs as the kernel writes them: "0-3,8". */
#ifndef PCB_COMMON_SYS_CPULIST_H
#define PCB_COMMON_SYS_CPULIST_H

#include <stdbool.h>
#include <stddef.h>

/* In the order of the text; free cpu with free(). */
struct cpulist {
	unsigned *cpu;
	size_t n;
};

/*
 * Reads a list. False if the text is none, also if it is empty or NULL; then
 * the list is empty.
 */
bool cpulist_parse(const char *text, struct cpulist *list);

#endif
