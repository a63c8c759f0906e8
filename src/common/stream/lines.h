/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads input files, one after the other, line by line. */
#ifndef PCB_COMMON_STREAM_LINES_H
#define PCB_COMMON_STREAM_LINES_H

#include "common/base/util.h"

#include <sys/types.h>

/* Longest record, quoted newlines included. */
#define RECORD_MAX  ((size_t)1 << 20)
#define LONG_RECORD "a record of over 1 MiB"
#define NUL_BYTE    "a NUL byte: this is not a text file"

/* Readable bytes behind the input in the buffer, of which the first is NUL. */
#define LINES_SLACK 8

/* A line has at most RECORD_MAX bytes. */
struct lines {
	char *const *files; /* those not opened yet */
	size_t nfiles;
	char *const *names; /* their names in messages; NULL: as given */

	const char *file;    /* the open one, by its name in messages */
	const char *operand; /* the same as given: "-" is standard input */
	uintmax_t line;      /* line number for messages */
	uintmax_t next;      /* number of the next line */
	int fd;              /* -1: none is open */
	char *buffer;
	size_t size, pos, end;
	bool eof;
	bool unended; /* the last byte read is no LF */

	off_t at, stop; /* reads a range from here to there; stop 0: all */
};

/* The `files` of standard input alone. */
extern char *const lines_stdin[1];

/*
 * Opens the next file and skips a byte order mark; false after the last one.
 * Dies if a file is empty or cannot be read.
 */
bool lines_open_next(struct lines *in);
void lines_close(struct lines *in);

/*
 * The next line, including its LF if it has one; NULL at the end. It is valid
 * until the next call. A line may hold NUL bytes; lines_check dies of them.
 */
char *lines_next(struct lines *in, size_t *length);
void lines_check(const struct lines *in, const char *line, size_t length);

/* The last `length` bytes of that line, with its end, are the next line. */
void lines_unread(struct lines *in, size_t length);

/*
 * Reads more input behind the unread bytes, which it may move; false at the
 * end.
 */
bool lines_fill(struct lines *in);

/*
 * The offset of the next line in a regular file, and the file's size; -1 for
 * other files. lines_after gives the offset of the first line that starts
 * behind `at`, or the size. lines_seek goes to such an offset.
 */
off_t lines_tell(const struct lines *in, off_t *size);
off_t lines_after(const struct lines *in, off_t at);
void lines_seek(struct lines *in, off_t at);

/*
 * Writes a message about the file and line, and the column unless NULL: one
 * line, whatever the input holds. lines_die then exits.
 */
void lines_complain(const struct lines *in, const char *column, const char *fmt,
                    va_list ap) PRINTF_LIKE(3, 0);
_Noreturn void lines_die(const struct lines *in, const char *column,
                         const char *fmt, ...) PRINTF_LIKE(3, 4);

#endif
