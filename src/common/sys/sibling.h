/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds other programs of the suite, to run them. */
#ifndef PCB_COMMON_SYS_SIBLING_H
#define PCB_COMMON_SYS_SIBLING_H

/*
 * The path of a program such as "pcb-stats" in the directory of the running
 * one; only its name, for execvp, if it is not there. Free it.
 */
char *sibling_program(const char *name);

#endif
