/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages on stderr, and exits with an error. */
#ifndef PCB_COMMON_BASE_MESSAGE_H
#define PCB_COMMON_BASE_MESSAGE_H

#include "common/base/macros.h"

/* Exit statuses of all programs, pcb-tools(7). */
enum { STATUS_OK = 0, STATUS_NO = 1, STATUS_TROUBLE = 2, STATUS_ABSENT = 3 };

/* The name that every message starts with; set_program sets it. */
extern const char *program_name;

/*
 * Write one line to stderr, "program: text"; the _sys forms append the text of
 * errno. die then exits with STATUS_TROUBLE. Only code that reads input, writes
 * output or parses options may die; code that computes returns a result.
 */
void warn(const char *fmt, ...) PRINTF_LIKE(1, 2);
void warn_sys(const char *fmt, ...) PRINTF_LIKE(1, 2);
_Noreturn void die(const char *fmt, ...) PRINTF_LIKE(1, 2);
_Noreturn void die_sys(const char *fmt, ...) PRINTF_LIKE(1, 2);

/*
 * Report a wrong command line: the message (try_help writes none, since getopt
 * already has), then where to find help; exit with STATUS_TROUBLE.
 */
_Noreturn void die_usage(const char *fmt, ...) PRINTF_LIKE(1, 2);
_Noreturn void try_help(void);

#endif
