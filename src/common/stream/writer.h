/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes results: pcb-csv(5), tables, JSON, Markdown, OpenMetrics. */
#ifndef PCB_COMMON_STREAM_WRITER_H
#define PCB_COMMON_STREAM_WRITER_H

#include "common/stream/preamble.h"

enum format {
	FORMAT_DEFAULT,
	FORMAT_CSV,
	FORMAT_TABLE,
	FORMAT_JSON,  /* {"meta":{...},"rows":[...],"end":{...}} */
	FORMAT_JSONL, /* only rows, one a line */
	FORMAT_MD,
	FORMAT_OPENMETRICS, /* only some programs write it */
};

/* The meaning of FORMAT_DEFAULT: table if stdout is a terminal, else CSV. */
enum format default_format(void);

/*
 * A result being written to stdout. Zero-initialise, set the first members,
 * then out_begin. A write error ends the program, see check_stdout.
 */
struct out {
	/* Set by the caller. */
	enum format format;
	bool bytes;       /* in a table: GB/s, not Gbit/s */
	bool no_preamble; /* csv and json: rows only, without metadata */
	struct preamble *preamble; /* borrowed until out_finish returns */
	const char *unit;          /* of MEASURE; NULL: none */
	/*
	 * csv: the list of "# constant:", of columns that the rows lack; NULL:
	 * none. Borrowed like the preamble.
	 */
	const char *constants;

	uintmax_t rows; /* complete ones so far; read only */

	/* Private. */
	char **name;
	char *device_names; /* of the preamble, for a table, which shows
 them behind the column device; or NULL */
	size_t ncols;
	size_t column; /* index of the next cell */
	bool begun;    /* a JSON document is */
	char **cell;   /* all cells, row by row; not for FORMAT_CSV */
	size_t ncells;
	size_t max;
	char **names, **first; /* the first row until it ends */
	size_t nnames, nfirst;
};

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

/* Text of a cell, for a number in the buffer. */
const char *out_cell_text(const struct out_cell *cell, char buffer[]);

/*
 * Writes rows that the caller has formatted: whole lines, and not for
 * a table. For FORMAT_JSON they are those of FORMAT_JSONL.
 */
void out_lines(struct out *o, const char *text, size_t length, uintmax_t rows);

/*
 * Writes the end line with the keys of `end` (may be NULL), or the table, and
 * flushes. Does not close stdout.
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
 * Writes "name":cell. The cell is null if the text is empty, an array for the
 * column benches, a number if `number` is set and JSON has such a number, else
 * a string. Write errors stay in ferror.
 */
void print_json_member(FILE *to, const char *name, const char *text,
                       bool number);

#endif
