/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints what the reader makes of a stream. */
#ifndef PCB_TESTS_RIG_TABLE_H
#define PCB_TESTS_RIG_TABLE_H

#include "rig/support.h"

#include <stdbool.h>

/* A stream, the expected output of show_table, and the expected errors. */
struct row {
	struct bytes in;
	const char *out;
	const char *err;
	int status;
};

#define CUT(rows)                                                              \
	"t: standard input: the stream was cut short after " #rows " rows\n"

/*
 * Prints a line per row, after a line of column names ("=") if there are new
 * ones; at the end the keys of preamble ("#") and end lines ("."), and "cut" if
 * the table is incomplete. It refuses a field "bad".
 */
void show_table(char *const files[], size_t nfiles, bool slow);

/* The same for stdin, for in_child; `slow` points to a bool. */
void show_stdin(const void *slow);

/*
 * Fails the test unless each row gives the expected output, read at once and
 * byte by byte, by the fast path and the slow one.
 */
void assert_rows(const struct row *row, size_t n);

#endif
