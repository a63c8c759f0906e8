/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes results: pcb-csv(5), tables, JSON, Markdown, OpenMetrics. */
#ifndef PCB_COMMON_STREAM_WRITER_H
#define PCB_COMMON_STREAM_WRITER_H

#include "common/base/util.h"
#include "common/stream/result.h"
#include "common/stream/table.h"

/* The meaning of FORMAT_DEFAULT: table if stdout is a terminal, else CSV. */
enum format default_format(void);

/* Whether the rows become a table, for people. */
bool is_table(const struct out *o);

/*
 * Writes preamble and header; copies the names. Dies, before it writes, if two
 * of them are equal.
 */
void out_begin(struct out *o, const char *const name[], size_t ncols);

/*
 * Writes the next cell; the last one of a row ends it. An empty text is a
 * missing value.
 */
void out_text(struct out *o, const char *text);

/*
 * The same row by row, without out_begin: OUT adds cells with the names of
 * their columns, the same for all rows, and out_end_row ends the row. The first
 * one makes the header. A result without rows has cells, too, whose names make
 * the header; out_end_row is not called. A number that is not finite is a
 * missing value, such as the standard deviation of one sample; COUNTED also if
 * it is 0. The name of a MEASURE gets the unit of `o`: mean_ns.
 */
struct out_cell {
	const char *name, *text; /* NULL: the number */
	double number;
	bool measure;
};
#define CELL(name, ...)     ((struct out_cell){(name), __VA_ARGS__})
#define TEXT(name, text)    CELL(name, (text), 0, false)
#define VALUE(name, number) CELL(name, NULL, (double)(number), false)
#define COUNTED(name, number)                                                  \
	CELL(name, (number) ? NULL : "", (double)(number), false)
#define MEASURE(name, number) CELL(name, NULL, (number), true)
#define OUT(o, ...)           out_cells((o), (const struct out_cell[]){__VA_ARGS__, {0}})
void out_cells(struct out *o, const struct out_cell cell[]);
void out_end_row(struct out *o);

/*
 * Rows of a table with added cells, kept until all its columns are known:
 * begin, add rows and, behind each, its cells, the same columns for all;
 * without a row, cells alone name the columns. keep_write writes them, where
 * added columns replace those of the table, and frees them.
 */
struct kept {
	struct composed text; /* cell by cell, each with its NUL */
	FILE *to;
	size_t *ncols, n; /* of the table, in each row */
	const char *added[8];
	size_t nadded;
};
void keep_begin(struct kept *k);
void keep_row(struct kept *k, const struct table *t);
void keep_cells(struct kept *k, const struct out_cell cell[]);
#define KEEP(k, ...)                                                           \
	keep_cells((k), (const struct out_cell[]){__VA_ARGS__, {0}})
void keep_write(struct out *o, const struct table *t, struct kept *k);

/*
 * Writes rows that the caller has formatted: whole lines, and not for
 * a table. For FORMAT_JSON they are those of FORMAT_JSONL.
 */
void out_lines(struct out *o, const char *text, size_t length, uintmax_t rows);

/*
 * Writes the end line with the keys of `end` (may be NULL), or the table, and
 * flushes. The result is incomplete, too, without tables_complete. Does not
 * close stdout.
 */
void out_finish(struct out *o, bool complete, const struct preamble *end);

/*
 * Writes a CSV field. Quotes it if RFC 4180 requires that, if it starts with #
 * in the first column, or if it is empty and the only field (`alone`). Write
 * errors stay in ferror.
 */
void print_csv_field(FILE *to, const char *text, bool first, bool alone);

/* JSON --------------------------------------------------------------------- */

/*
 * Writes "name":cell. The cell is null if the text is empty, a number if
 * `number` is set and JSON has such a number, else a string. Write errors stay
 * in ferror.
 */
void print_json_member(FILE *to, const char *name, const char *text,
                       bool number);

#endif
