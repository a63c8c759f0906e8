/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the reader makes of a stream, as text. */
#ifndef PCB_TESTS_RIG_TABLE_H
#define PCB_TESTS_RIG_TABLE_H

#include "rig/support.h"

#include <stdbool.h>

/* A stream, and what show_table and the reader say of it. */
struct row {
	struct bytes in;
	const char *out;
	const char *err;
	int status;
};

#define CUT(rows)                                                              \
	"t: standard input: the stream was cut short after " #rows " rows\n"

/*
 * One line for each row, after one with the column names ("=") when there
 * are new ones; at the end the keys of preamble ("#") and end lines ("."),
 * and "cut" if the table is not complete. A field that says "bad" is refused.
 */
void show_table(char *const files[], size_t nfiles, bool slow);

/* The same of stdin, for in_child; the data are a bool, whether it is slow. */
void show_stdin(const void *slow);

/*
 * Fails the test unless each row gives what it should, read at once and byte
 * by byte, quickly and slowly.
 */
void assert_rows(const struct row *row, size_t n);

#endif
