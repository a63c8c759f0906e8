/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The other programs of the suite, for one that runs them. */
#ifndef PCB_COMMON_SYS_SIBLING_H
#define PCB_COMMON_SYS_SIBLING_H

/*
 * The path of a program such as "pcb-stats": beside the one that runs, if it
 * is there, else its name alone, for execvp. Free it.
 */
char *sibling_program(const char *name);

#endif
