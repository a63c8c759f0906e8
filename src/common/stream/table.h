/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one reader of pcb-csv(5) and of foreign CSV. */
#ifndef PCB_COMMON_STREAM_TABLE_H
#define PCB_COMMON_STREAM_TABLE_H

#include "common/stream/column_role.h"
#include "common/stream/preamble.h"

#include <stdint.h>

/*
 * All inputs as one table. Times of other programs, in us, ms or s by the names
 * of their columns, become nanoseconds, and their "NaN" becomes "". Its columns
 * are the union of the columns of all parts read so far, in order of first
 * appearance: ncols grows when a part brings new ones, a column's number never
 * changes. The current row has "" where its part lacks a column; the texts last
 * until the next row.
 */
struct table {
	const char *file;    /* as messages call it */
	const char *operand; /* as it was given: "-" is standard input */
	uintmax_t line;      /* where the current row begins, from 1 */
	size_t ncols;
	char **name;
	const char **field;
	/*
	 * Leading columns with the same text as in the row before: a lower
	 * bound, counted only on the fast path.
	 */
	size_t steady;
	/*
	 * The text in the column of table_watch as a number: its bytes, 1 to 7,
	 * the first one the lowest. 0 for others, in the first row of a part,
	 * and wherever that was not free to find out.
	 */
	uint64_t word;

	/* Complete once table_next has returned false. */
	struct preamble preamble; /* what all parts say alike, and "parts" */
	struct preamble end;      /* the same of the "# end:" lines */
	uintmax_t rows;           /* over all parts */
	bool complete;            /* no part of ours was cut short */

	bool slow; /* may be set: take every row through libcsv, for tests */
	bool verbatim; /* may be set: names and units of others stay theirs */
	struct table_reader *reader;
};

/*
 * Opens the files named (none: stdin; "-" is stdin too) to be read one after
 * the other. The names must outlive the table. Bad input, here and in
 * table_next, ends the program with file:line: column: what is wrong.
 */
struct table *table_open(char *const files[], size_t nfiles);

/*
 * For files without a header row: `header`, a line with its LF, stands for
 * it in each file. To be called before the first table_next.
 */
void table_set_header(struct table *t, const char *header);

/*
 * What `file` and messages call the files, one name for each. To be called
 * before the first table_next; the names must outlive the table.
 */
void table_set_names(struct table *t, char *const names[]);

/*
 * Steps to the next row; false at the end of the last input, after having
 * warned about parts that were cut short or hold no rows.
 */
bool table_next(struct table *t);

/* From the next row on, `word` of the table is the text in column `col`. */
void table_watch(struct table *t, size_t col);

void table_close(struct table *t);

/* The number of the column called `name`, or -1 while no part had it. */
ptrdiff_t table_find(const struct table *t, const char *name);

/* As preamble_tick_ns, of the part that the current row is from. */
double table_tick_ns(const struct table *t);

/*
 * What stands in column `col` of the current row: a text, which is "" where
 * `col` is -1; a number; and a weight, which is 1 where the text is "". The
 * last two die, as table_refuse does, of another text.
 */
const char *table_text(const struct table *t, ptrdiff_t col);
double table_number(const struct table *t, size_t col);
uint64_t table_weight(const struct table *t, ptrdiff_t col);

/*
 * End the program with a message about column `col` of the current row: any,
 * or why the text that stands there is refused.
 */
_Noreturn void table_die(const struct table *t, size_t col, const char *fmt,
                         ...) PRINTF_LIKE(3, 4);
_Noreturn void table_refuse(const struct table *t, size_t col, const char *why);

#endif
