/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages on stderr, and the end of a program that has trouble. */
#ifndef PCB_COMMON_BASE_MESSAGE_H
#define PCB_COMMON_BASE_MESSAGE_H

#include "common/base/macros.h"

/* Exit statuses of all programs, pcb-tools(7). */
enum { STATUS_OK = 0, STATUS_NO = 1, STATUS_TROUBLE = 2, STATUS_ABSENT = 3 };

/* The name that messages begin with; set_program sets it. */
extern const char *program_name;

/*
 * One line on stderr, "program: text". die also ends the program with
 * STATUS_TROUBLE; the _sys forms append the text of errno. Only code that
 * reads input, writes output or parses options may die; code that computes
 * returns a result.
 */
void warn(const char *fmt, ...) PRINTF_LIKE(1, 2);
void warn_sys(const char *fmt, ...) PRINTF_LIKE(1, 2);
_Noreturn void die(const char *fmt, ...) PRINTF_LIKE(1, 2);
_Noreturn void die_sys(const char *fmt, ...) PRINTF_LIKE(1, 2);

/*
 * For a wrong command line: the message (try_help: getopt has printed one),
 * then where to find help, and STATUS_TROUBLE.
 */
_Noreturn void die_usage(const char *fmt, ...) PRINTF_LIKE(1, 2);
_Noreturn void try_help(void);

#endif
