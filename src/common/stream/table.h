/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads pcb-csv(5), JSON lines and foreign CSV. */
#ifndef PCB_COMMON_STREAM_TABLE_H
#define PCB_COMMON_STREAM_TABLE_H

#include "common/stream/columns.h"
#include "common/stream/preamble.h"
#include "common/stream/record.h"

#include <setjmp.h>
#include <sys/types.h>

/*
 * All inputs as one table. Converts foreign times in us, ms or s, by column
 * name, to nanoseconds, and a foreign "NaN" to "". The columns are the union of
 * those of all parts so far, in order of first appearance: ncols grows with new
 * ones, an index never changes. The current row has "" for columns that its
 * part lacks; the texts are valid until the next row.
 */
#define ANY_COLUMN SIZE_MAX
struct table {
	const char *file;    /* its name in messages */
	const char *operand; /* the same as given: "-" is standard input */
	uintmax_t line;      /* first line of the current row, from 1 */
	size_t ncols;
	char **name;
	const char **field;
	/*
	 * The only wanted column that may differ from the row before; else
	 * ANY_COLUMN.
	 */
	size_t changed;
	size_t last;   /* the last column of the part, or ANY_COLUMN, */
	uint64_t word; /* and word_of its cell; 0: unknown, too */

	/* Complete once table_next has returned false. */
	struct preamble preamble; /* entries common to all parts, and "parts" */
	struct preamble end;      /* the same of the "# end:" lines */
	uintmax_t rows;           /* over all parts */
	bool complete;            /* no pcb-csv part was cut short */

	bool slow; /* set it to compare no row with the one before, for tests */
	bool verbatim; /* set it to keep foreign names and units */
	/* Set it to foreign_record_read to read CSV of others by libcsv. */
	bool (*read_foreign)(struct record *rec, struct lines *in,
	                     char separator);
	/*
	 * Set it to give each row its operand in a column `file`, the first
	 * one, unless the part has such a column.
	 */
	bool name_files;
	jmp_buf *escape; /* of a range: table_die jumps there */
	struct table_reader *reader;
};

/*
 * Opens the named files (none: stdin; "-" is stdin) to read one after the
 * other; the names must outlive the table. This and table_next end the program
 * if the input is bad, with "file:line: column: what is wrong".
 */
struct table *table_open(char *const files[], size_t nfiles);

/*
 * Sets the name of each file in `file` and in messages. Call before the first
 * table_next; the names must outlive the table.
 */
void table_set_names(struct table *t, char *const names[]);

/*
 * Steps to the next row. False at the end of the last input, after warnings
 * about parts that were cut short or hold no rows.
 */
bool table_next(struct table *t);

/*
 * Columns that the caller wants, by their numbers, n of them; it wants those of
 * higher numbers, too. Rows are then read faster; the cells of other columns
 * may be those of an earlier row. The array
 * must live until the last table_next.
 */
void table_want(struct table *t, const bool wanted[], size_t n);

/*
 * Steps over the next rows, at most `most`, of which only the last column of
 * the part and columns that are not wanted differ from the current one, as long
 * as that is quick. Sets `changed` to it, and `cell` to its cells. Returns
 * their number; the last one is the current row. Call it after table_next.
 */
size_t table_run(struct table *t, struct plain cell[], size_t most);

void table_close(struct table *t);

/*
 * Whether no part of any table so far was cut short: not of the input, nor of a
 * file that only an option names.
 */
bool tables_complete(void);

/* Ranges of a file, for several threads ------------------------------------ */

/*
 * Cuts the unread rest of the open file at line ends into at most n ranges of
 * about `least` to `most` bytes: bound[i] to bound[i + 1] is range i. Returns
 * their number; 0 if the rest is less than two ranges, is no regular file, or
 * has rows of JSON.
 */
size_t table_cut(const struct table *t, size_t n, off_t least, off_t most,
                 off_t bound[]);

/*
 * A table of the plain rows of such a range. One thread, any one, may call
 * table_next and table_run on it, while no one uses the whole table. It ends
 * before a line that is no plain row of the current part. It prints nothing and
 * never ends the program: set `escape`, to which table_die jumps. It takes the
 * memory of a range that is read no more; NULL: new memory.
 */
struct table *table_range(const struct table *t, struct table *old, off_t from,
                          off_t to);
void table_range_free(struct table *range); /* NULL: does nothing */

/*
 * Moves the table behind the last row of the range that starts at its next
 * line. No row is current then. False if the range ended early, before its last
 * line.
 */
bool table_skip(struct table *t, const struct table *range);

/* The index of the column called `name`, or -1 while no part has it. */
ptrdiff_t table_find(const struct table *t, const char *name);

/* The same for what a user typed, which may be its name in a foreign file. */
ptrdiff_t table_find_given(const struct table *t, const char *name);

/* The name of column `col` in the header of the last part, which may lack it.
 */
const char *table_heading(const struct table *t, size_t col);

/* CLOCK_TICK of the current row's part; 0 if it is unknown. */
double table_tick_ns(const struct table *t);

/*
 * Column `col` of the current row: as a text ("" if `col` is -1); as a number;
 * as a weight (1 if the text is ""). The last two die, as table_refuse does, if
 * the text is not one.
 */
static inline const char *
table_text(const struct table *t, ptrdiff_t col)
{
	return col < 0 ? "" : t->field[col];
}
double table_number(const struct table *t, size_t col);
uint64_t table_weight(const struct table *t, ptrdiff_t col);

/*
 * End the program with a message about column `col` of the current row: any
 * message, or why its text is refused.
 */
_Noreturn void table_die(const struct table *t, size_t col, const char *fmt,
                         ...) PRINTF_LIKE(3, 4);
_Noreturn void table_refuse(const struct table *t, size_t col, const char *why);

/* Columns of a table ------------------------------------------------------- */

/*
 * The columns that `pick` accepts (NULL: all), separated by ", ", with the
 * names that the file has for them. Free the text.
 */
char *list_columns(const struct table *t, bool (*pick)(const char *));

/*
 * Exits with status 2 because no part so far has this column. The message lists
 * the columns, behind a hint or "", and the program that writes it if the pipe
 * may lack that.
 */
_Noreturn void no_column(const struct table *t, const char *name,
                         const char *hint);

/* The index of the column called `name`; if none is, ends as no_column. */
size_t need_column(const struct table *t, const char *name);

/*
 * Ends as no_column if no column has this name, which the user typed; the
 * message suggests the nearest name.
 */
void need_given_column(const struct table *t, const char *name);

/*
 * The text of that column in the current row. If the column is missing,
 * need_text ends as no_column and optional_text returns "".
 */
const char *need_text(const struct table *t, const char *name);
const char *optional_text(const struct table *t, const char *name);

/* Traces that the current row is skipped because it lacks `what`. */
void trace_skipped(const struct table *t, const char *what);

/* Warns that n rows were skipped because they lack `what`; not if n is 0. */
void warn_skipped(uintmax_t rows, const char *what);

#endif
