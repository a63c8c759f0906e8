/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every program includes: messages, memory, lists, texts, start, exit; and
 * the C headers below.
 */
#ifndef PCB_COMMON_BASE_UTIL_H
#define PCB_COMMON_BASE_UTIL_H

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_LEN(a)         (sizeof(a) / sizeof(*(a)))
#define PRINTF_LIKE(fmt, va) __attribute__((format(printf, fmt, va)))
#define NEVER_NULL           __attribute__((returns_nonnull))

/* Messages ----------------------------------------------------------------- */

/* Exit statuses of all programs, pcb-tools(7). */
enum { STATUS_OK = 0, STATUS_NO = 1, STATUS_TROUBLE = 2, STATUS_ABSENT = 3 };

/*
 * The name that every message starts with; set_program sets it. And a blank and
 * the command whose --help a usage error leads to, or "".
 */
extern const char *program_name, *program_mode;

/*
 * Write one line to stderr, "program: text"; the _sys forms append the text of
 * errno. die then exits with STATUS_TROUBLE. Only code that reads input, writes
 * output or parses options may die; code that computes returns a result.
 */
void complain(int error, const char *fmt, ...) PRINTF_LIKE(2, 3);
#define warn(...)     complain(0, __VA_ARGS__)
#define warn_sys(...) complain(errno, __VA_ARGS__)
#define die(...)      (complain(0, __VA_ARGS__), exit(STATUS_TROUBLE))
#define die_sys(...)  (complain(errno, __VA_ARGS__), exit(STATUS_TROUBLE))

/* From now on, `kept_messages` has all texts, joined by "; ". */
void keep_messages(void);
extern char *kept_messages;

/*
 * Report a wrong command line: the message (try_help writes none, since getopt
 * already has), then where to find help; exit with STATUS_TROUBLE.
 */
#define die_usage(...) (complain(0, __VA_ARGS__), try_help())
_Noreturn void try_help(void);

/* Memory, lists and texts; all die when memory is out ---------------------- */

/* Like their namesakes in the C library. */
void *xmalloc(size_t size) NEVER_NULL;
void *xcalloc(size_t n, size_t size) NEVER_NULL;
void *xreallocarray(void *old, size_t n, size_t size) NEVER_NULL;
char *xstrdup(const char *text) NEVER_NULL;
char *xasprintf(const char *fmt, ...) PRINTF_LIKE(1, 2) NEVER_NULL;
char *xvasprintf(const char *fmt, va_list ap) PRINTF_LIKE(1, 0) NEVER_NULL;

/*
 * Appends a formatted item to *list, after `between` unless it is the first.
 * *list is NULL or "" at first; free it.
 */
void xappend(char **list, const char *between, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

/*
 * Appends an item to an array (at first NULL, with n = 0) and increments n. The
 * array must grow by this or by with_room() alone. Free it with free().
 */
#define array_push(array, n, ...)                                              \
	((array) = with_room((array), (n), sizeof *(array)),                   \
	 (array)[(n)++] = (__VA_ARGS__))

/* A list of n with room for one more; it has room to powers of two. */
void *with_room(void *list, size_t n, size_t size);

/*
 * Splits a comma-separated list. Returns at least one item, possibly "", and
 * then NULL, all in one block of memory: free the result with free().
 */
char **list_split(const char *list);

/* Whether a comma-separated list, or NULL, has the item. */
bool list_has(const char *list, const char *item);

/* The index of `text` in the list of n words, or n. */
size_t find_word(const char *text, const char *const word[], size_t n);

/* The text so far: for compose_begin and compose_end only. */
struct composed {
	char *text;
	size_t length;
};

/*
 * compose_begin opens a stream to write a text to. *c must not move until
 * compose_end, which closes the stream and returns the text; free it.
 * (open_memstream would drop text silently when memory is out.)
 */
FILE *compose_begin(struct composed *c);
char *compose_end(struct composed *c, FILE *to);

/* The program and its output, in program.c and output.c -------------------- */

/* From `git describe` in a checkout, else VERSION of config.mk. */
extern const char program_version[];

/* The command line, quoted so that a shell reads it back. */
extern char *program_command;

/* The word, quoted so that a shell reads it back; free it. */
char *shell_word(const char *word);

/*
 * The first line of main, before getopt reorders argv. Sets program_name and
 * program_command, and argv[0] to the name, because getopt starts its messages
 * with it. Reserves closed standard streams, so that no other file takes their
 * descriptors; ignores SIGXFSZ; enables the trace of PCB_DEBUG, where an
 * unknown category is a usage error.
 */
void set_program(int argc, char *argv[]);

/*
 * The output of a program that fails before it writes any: the next program of
 * the pipe then does not complain about missing input, see pcb-csv(5). Every
 * exit but that of close_stdout writes it if stdout is a pipe, is empty and
 * stream_begins was not called. stream_begins announces other output.
 */
#define FAILED_STREAM "# end: rows=0 complete=no\n"
void stream_begins(void);

/*
 * Whether standard input is something to read: a file, a pipe or a socket, also
 * an empty one. A terminal and other devices, such as /dev/null, are not.
 */
bool stdin_is_input(void);

/*
 * Signal handling of a filter: ignores the first SIGINT, so that after Ctrl-C
 * on a whole pipe the filters finish their input; the second one kills, and so
 * does the first one if stdin is a terminal. SIGPIPE ends the filter without a
 * message.
 */
void filter_signals(void);

/*
 * Runs the atexit handlers and flushes output, then ends the process as if
 * `signal` had killed it.
 */
_Noreturn void end_by_signal(int signal);

/*
 * Flushes and closes stdout. Dies if any output was lost; if the reader has
 * gone (EPIPE), ends as by SIGPIPE instead. The last call of every main.
 */
void close_stdout(void);

/*
 * Dies as close_stdout does if a write to stdout has already failed.
 * Long-running writers call it to stop early.
 */
void check_stdout(void);

/* Both are 0 if it is no terminal or the size is unknown. */
struct terminal_size {
	unsigned columns, lines;
};

struct terminal_size terminal_size(void); /* of stdout */

/*
 * Prints a text, as print_plain does, and a newline to stdout. The cursor is at
 * column `begin`; lines start there and end before column `end`, unless a word
 * is longer. 0 as `end`: no limit.
 */
void print_wrapped(size_t begin, size_t end, const char *text);

/* Whether stdout is a terminal with colours, and NO_COLOR is not set. */
bool terminal_has_colours(void);

/*
 * Whether people read bandwidths in GB/s, as --bytes and PCB_UNITS ask, in
 * place of Gbit/s. Output for programs is in Gbit/s.
 */
extern bool shows_bytes;

/* The unit of a bandwidth for people, and how many Gbit/s it is. */
struct rate_unit {
	const char *name;
	double gbit_s;
};

struct rate_unit rate_unit(void);

/*
 * Redirects stdout to FILE.part, which close_stdout renames to `file`; owner,
 * mode and access list of an older `file` stay. If the program ends otherwise,
 * by exit or by a signal such as SIGTERM, FILE.part is removed and `file` stays
 * unchanged. Dies at the end if another program has moved, removed or replaced
 * FILE.part, or if it cannot be renamed: it stays under a new name.
 * "-", a device and a pipe are written directly. Replaces a FILE.part whose
 * writer is dead. Dies if another process writes FILE.part, if it cannot be
 * created, or if the kernel does not follow a link or finds no file behind it.
 * Call once, before the first byte of output.
 */
void output_to_file(const char *file);

/* From now on every end renames FILE.part, so that no row is lost. */
void output_keep(void);

/*
 * Runs a program, found in PATH, that reads what this one writes to stdout and
 * writes to the old stdout. close_stdout waits for it and exits with its status
 * if that is not 0; every other exit waits, too. False, with errno, if it
 * cannot be run.
 *
 * Unless `end` is NULL the program is gnuplot, which hides errors of writing:
 * the file of output_to_file, or else the old stdout, gets its output once that
 * is complete, with `end` (constant) among the last 16 bytes. close_stdout dies
 * if it is not.
 */
bool output_through(char *const argv[], const char *end);

/*
 * Runs the program `path`, found in PATH, to its end. argv[0] is the name that
 * a program of pcb-tools writes before its messages. Returns the path of a file
 * with what it wrote to stdout. Exits with its status if that is not 0, dies if
 * a signal ended it; but this one can survive a SIGINT to both. Free it.
 */
char *program_output(const char *path, char *const argv[], bool survive);

/*
 * The same, but returns NULL if its status is not 0, and keeps what it wrote to
 * stderr. Free both.
 */
char *program_try(char *const argv[], char **messages);

/*
 * Runs the program, with the original stdout, once the file of output_to_file
 * is complete; only if rows were written, see output_keep.
 */
void output_then(char *const argv[]);

#endif
