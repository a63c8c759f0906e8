/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Splits a row into fields: a CSV record, or an object of JSON lines. */
#ifndef PCB_COMMON_STREAM_RECORD_H
#define PCB_COMMON_STREAM_RECORD_H

#include "common/stream/lines.h"

#include <csv.h>

/* CSV ---------------------------------------------------------------------- */

/*
 * The fields of the last record. They are in `text`, or in the input's buffer
 * if the record was plain.
 */
struct record {
	const char **field;
	char **end; /* for plain records */
	size_t n, max;

	char *text;
	size_t used, size;
	bool done;
	struct csv_parser csv;

	/* Of a plain record. */
	char *next;   /* the end of its line; NULL: it was not plain */
	bool repeats; /* all fields but the last equal those before */
	char *lead;   /* the text before the last field */
	size_t lead_length, lead_size;
};

/* Call once, on a zeroed record. */
void record_init(struct record *rec);
void record_free(struct record *rec);

/*
 * Parses the record that starts with `line`; reads more lines while a quote is
 * open. Dies if it is no CSV. With `whole`, false if the input ends within the
 * record or without LF.
 */
bool record_read(struct record *rec, struct lines *in, const char *line,
                 size_t length, bool whole);

/*
 * Parses the next line in place if it has n fields, without quotes or line ends
 * inside a field. False, with nothing consumed, for any other line, one not yet
 * in the buffer, and invalid ones: use lines_next and record_read then. In most
 * rows only the last field is new: `repeats` says so.
 */
bool record_take_plain(struct record *rec, struct lines *in, size_t n);

/* Sets the fields to n texts, one behind the other, that the caller owns. */
void record_set(struct record *rec, const char *text, size_t n);

/* JSON lines --------------------------------------------------------------- */

/*
 * An object: names and values in order, as texts with their NULs. null becomes
 * "", a list its items separated by blanks. Zero-initialise; release with
 * json_line_free.
 */
struct json_line {
	char *name, *value; /* values are valid until the next line */
	size_t n;
	size_t length; /* of all names, with their NULs */
	bool renamed;  /* this row has other names than the last one */
};

/* Parses the object in such a line. Returns NULL, or what is wrong. */
const char *json_line_parse(struct json_line *j, const char *line,
                            size_t length);
void json_line_free(struct json_line *j);

#endif
