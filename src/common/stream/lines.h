/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Input files, one after the other, as lines. */
#ifndef PCB_COMMON_STREAM_LINES_H
#define PCB_COMMON_STREAM_LINES_H

#include "common/base/util.h"

#include <stdint.h>

/* A record longer than this, quoted newlines included, is refused. */
#define RECORD_MAX ((size_t)1 << 20)

/* So many bytes can be read from the start of a field on, however short. */
#define FIELD_SLACK 8

/* No line is longer than RECORD_MAX. */
struct lines {
	char *const *files; /* those still to be opened */
	size_t nfiles;

	const char *file;    /* the open one, as messages call it */
	const char *operand; /* as it was given: "-" is standard input */
	uintmax_t line;      /* where messages say the trouble is */
	uintmax_t next;      /* the number of the line to come */
	int fd;              /* -1: none is open */
	char *buffer;
	size_t size, pos, end;
	uintmax_t fills; /* each may have moved what was read before */
	bool eof;
};

/*
 * Opens the next file and skips a byte order mark; false after the last one.
 * Dies where a file cannot be read or has no bytes at all.
 */
bool lines_open_next(struct lines *in);
void lines_close(struct lines *in);

/*
 * The next line, LF included where it has one; NULL at the end of the file.
 * It stays in the buffer until the next call. It may hold NUL bytes, which
 * lines_check dies of.
 */
char *lines_next(struct lines *in, size_t *length);
void lines_check(const struct lines *in, const char *line, size_t length);

/*
 * A message about the file, the line, and a column if one is named: one line,
 * whatever the input holds. lines_die then ends the program.
 */
void lines_complain(const struct lines *in, const char *column, const char *fmt,
                    va_list ap) PRINTF_LIKE(3, 0);
_Noreturn void lines_die(const struct lines *in, const char *column,
                         const char *fmt, ...) PRINTF_LIKE(3, 4);

#endif
