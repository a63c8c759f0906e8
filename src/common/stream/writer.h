/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one writer of results: pcb-csv(5), a table for people, or JSON lines. */
#ifndef PCB_COMMON_STREAM_WRITER_H
#define PCB_COMMON_STREAM_WRITER_H

#include "common/stream/preamble.h"

#include <stdint.h>
#include <stdio.h>

enum format {
	FORMAT_DEFAULT,
	FORMAT_CSV,
	FORMAT_TABLE,
	FORMAT_JSONL,
	FORMAT_MD,
	FORMAT_OPENMETRICS, /* not of every program */
};

/* The argument of -f: "csv", "table", "jsonl" or "md"; false for anything else.
 */
bool parse_format(const char *name, enum format *format);

/* What FORMAT_DEFAULT means: a table where stdout is a terminal, else csv. */
enum format default_format(void);

/*
 * A stream being written to stdout. Zero-initialise, set it up, then
 * out_begin. Write errors end the program, see check_stdout.
 */
struct out {
	/* To be set up. */
	enum format format;
	bool bytes;       /* in a table: GB/s, not Gbit/s */
	bool no_preamble; /* csv and jsonl: rows alone, without provenance */
	struct preamble *preamble; /* borrowed until out_begin returns */

	/* Of the writer. */
	char **name;
	char *device_names; /* of the preamble, for a table; or NULL */
	size_t ncols;
	size_t column;  /* of the next cell */
	uintmax_t rows; /* whole ones, so far */
	char **cell;    /* unless FORMAT_CSV: all of them, row by row */
	size_t ncells;
	size_t max;
};

/* Writes preamble and header; the names are copied. */
void out_begin(struct out *o, const char *const name[], size_t ncols);

/*
 * The next cell of a row; the last one of a row ends it. An empty text is a
 * missing value, and so is a number that is not finite: what does not exist,
 * such as the deviation of one sample.
 */
void out_text(struct out *o, const char *text);
void out_u64(struct out *o, uint64_t value);
void out_double(struct out *o, double value);

/* A finite number that was measured: not rounded, not even in a table. */
void out_value(struct out *o, double value);

/*
 * Rows that the caller has formatted: whole lines of csv, or of JSON. Only for
 * FORMAT_CSV and FORMAT_JSONL.
 */
void out_lines(struct out *o, const char *text, size_t length, uintmax_t rows);

/*
 * Writes the end line, with the keys of `end` (may be NULL), or the table,
 * and flushes. Does not close stdout.
 */
void out_finish(struct out *o, bool complete, const struct preamble *end);

/*
 * Writes a csv field to `to`, quoted where RFC 4180, the "#" rule for the
 * first field of a row or a lone empty field (`alone`) asks for it; returns
 * the end. `to` has room for 2 * strlen(text) + 2 bytes.
 */
char *print_csv_field(char *to, const char *text, bool first, bool alone);

#endif
