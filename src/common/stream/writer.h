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
	struct preamble *preamble; /* borrowed until out_begin returns */
	/*
	 * csv: the list of "# constant:", of columns that the rows lack; NULL:
	 * none. Borrowed like the preamble.
	 */
	const char *constants;

	/* Private. */
	char **name;
	char *device_names; /* of the preamble, for a table; or NULL */
	size_t device;      /* the column that they name, in the next one */
	size_t ncols;
	size_t column;  /* index of the next cell */
	uintmax_t rows; /* number of complete rows */
	bool begun;     /* a document has its metadata, which are: */
	struct preamble meta;
	char **cell; /* all cells, row by row; not for FORMAT_CSV */
	size_t ncells;
	size_t max;
	char **pending; /* name, text, name, ... of the first row */
	size_t npending;
};

/* Writes preamble and header; copies the names. */
void out_begin(struct out *o, const char *const name[], size_t ncols);

/*
 * Write the next cell; the last one of a row ends it. An empty text and a
 * number that is not finite are missing values, such as the standard deviation
 * of one sample.
 */
void out_text(struct out *o, const char *text);
void out_u64(struct out *o, uint64_t value);
void out_double(struct out *o, double value);

/*
 * The same row by row, without out_begin: OUT adds cells with the names of
 * their columns, the same for all rows, and out_end_row ends the row. The first
 * one makes the header; out_header writes it without a row. COUNTED is empty if
 * the number is 0.
 */
struct out_cell {
	const char *name, *text; /* NULL: the number */
	double number;
};
#define TEXT(name, text)    ((struct out_cell){(name), (text), 0})
#define VALUE(name, number) ((struct out_cell){(name), NULL, (double)(number)})
#define COUNTED(name, number)                                                  \
	((struct out_cell){(name), (number) ? NULL : "", (double)(number)})
#define OUT(o, ...) out_cells((o), (const struct out_cell[]){__VA_ARGS__, {0}})
void out_cells(struct out *o, const struct out_cell cell[]);
void out_end_row(struct out *o);
void out_header(struct out *o);

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
 * Writes a CSV field to `to` and returns its end. Quotes it if RFC 4180
 * requires that, if it starts with # in the first column, or if it is empty and
 * the only field (`alone`). `to` has room for 2 * strlen(text) + 2 bytes.
 */
char *print_csv_field(char *to, const char *text, bool first, bool alone);

/* Unique column names ------------------------------------------------------ */

/* Column names in order. Zero-initialise. */
struct header {
	char **name;
	size_t n;
};

/* Takes ownership of the name; dies if it exists already. */
void header_add(struct header *h, char *name);

/* Calls out_begin with these names and frees them. */
void header_write(struct header *h, struct out *o);

/* JSON --------------------------------------------------------------------- */

/*
 * Writes "name":cell. The cell is null if the text is empty, an array for the
 * column benches, a number if `number` is set and JSON has such a number, else
 * a string. Write errors stay in ferror.
 */
void print_json_member(FILE *to, const char *name, const char *text,
                       bool number);

#endif
