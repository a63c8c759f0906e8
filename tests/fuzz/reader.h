/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For fuzz targets of the reader of streams. */
#ifndef PCB_TESTS_FUZZ_READER_H
#define PCB_TESTS_FUZZ_READER_H

#include "fuzz/ending.h"

#include "common/stream/table.h"

/*
 * Reads stdin, without comparing rows if `slow`, and calls each_row(t, data)
 * for every row; NULL if the input was refused. Close the table with
 * table_close.
 */
static struct table *
read_stdin(bool slow, void (*each_row)(const struct table *t, void *data),
           void *data)
{
	struct table *volatile t = table_open(NULL, 0);

	t->slow = slow;
	is_reading = true;
	if (!setjmp(refused)) {
		while (table_next(t))
			each_row(t, data);
		is_reading = false;
		return t;
	}
	is_reading = false;
	table_close(t);
	return NULL;
}

#endif
