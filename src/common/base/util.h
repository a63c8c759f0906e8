/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What every program needs: messages, memory, orderly ends. */
#ifndef PCB_COMMON_BASE_UTIL_H
#define PCB_COMMON_BASE_UTIL_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#define ARRAY_LEN(a)         (sizeof(a) / sizeof(*(a)))
#define PRINTF_LIKE(fmt, va) __attribute__((format(printf, fmt, va)))
#define NEVER_NULL           __attribute__((returns_nonnull))

/* Exit statuses of all programs, pcb-tools(7). */
enum { STATUS_OK = 0, STATUS_NO = 1, STATUS_TROUBLE = 2, STATUS_ABSENT = 3 };

/*
 * The name used in messages and the command line as a shell would read it
 * back. Set by the first line of main, before getopt reorders argv. argv[0]
 * becomes the name, too: it begins the messages of getopt. Standard streams
 * that are closed fail from then on, but no other file takes their place; nor
 * does a file that may not grow (SIGXFSZ) end the program.
 */
extern const char *program_name;
extern char *program_command;
void set_program(int argc, char *argv[]);

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

/*
 * The signal rules of a filter: the first SIGINT is ignored, so that Ctrl-C
 * on a whole pipe lets the filters finish what they got; a second one kills.
 * A reader that goes away (SIGPIPE) ends the filter quietly.
 */
void filter_signals(void);

/*
 * Ends the process as if `signal` had killed it, after the functions given
 * to atexit have run and what was written has been flushed.
 */
_Noreturn void end_by_signal(int signal);

/*
 * Flushes and closes stdout. Dies if anything written to it was lost, except
 * when the reader has gone (EPIPE): then it ends as by SIGPIPE. The last call
 * of every main.
 */
void close_stdout(void);

/*
 * Dies as close_stdout does if a write to stdout has already failed: for
 * long-running writers that should stop early.
 */
void check_stdout(void);

#endif
