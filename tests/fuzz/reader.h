/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For fuzz targets of the reader of streams. */
#ifndef PCB_TESTS_FUZZ_READER_H
#define PCB_TESTS_FUZZ_READER_H

#include "fuzz/ending.h"

#include "common/stream/table.h"

#include <stdlib.h>
#include <string.h>

/* The table's word of a text must be that text. */
static void
check_word(const struct table *t, size_t col)
{
	const char *text = t->field[col];
	size_t length = strlen(text);
	uint64_t word = 0;

	if (!t->word)
		return;
	for (size_t i = length; length < sizeof word && i--;)
		word = word << 8 | (unsigned char)text[i];
	if (t->word != word)
		abort();
}

/*
 * Reads stdin, only with libcsv if `slow`, and calls each_row(t, data) for
 * every row; NULL if the input was refused. Watches one column after the other.
 * Close the table with table_close.
 */
static struct table *
read_stdin(bool slow, void (*each_row)(const struct table *t, void *data),
           void *data)
{
	struct table *volatile t = table_open(NULL, 0);
	volatile size_t watched = 0;

	t->slow = slow;
	is_reading = true;
	if (!setjmp(refused)) {
		while (table_next(t)) {
			check_word(t, watched);
			each_row(t, data);
			watched = (size_t)(t->rows / 3) % t->ncols;
			table_watch(t, watched);
		}
		is_reading = false;
		return t;
	}
	is_reading = false;
	table_close(t);
	return NULL;
}

#endif
