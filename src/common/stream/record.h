/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Splits a row into fields: a CSV record, or an object of JSON lines. */
#ifndef PCB_COMMON_STREAM_RECORD_H
#define PCB_COMMON_STREAM_RECORD_H

#include "common/stream/lines.h"

/* CSV ---------------------------------------------------------------------- */

/* Why a text is no CSV. */
#define STRAY_RETURN "a carriage return in the middle of a line"
#define STRAY_QUOTE  "a quote in the wrong place"
#define OPEN_QUOTE   "a quote is opened and never closed"

/* The fields of the last record, in the input's buffer. Zero-initialise. */
struct record {
	const char **field;
	size_t n;
	uint64_t word; /* word_of the last field; 0: unknown, too */

	/* Private. */
	char **end; /* of each field */
	size_t max;
	size_t escapes;    /* doubled quotes in the record, */
	uintmax_t breaks;  /* and line ends in its fields */
	const char *wrong; /* why it is no CSV, */
	char *wrong_at;    /* and where */

	bool repeats; /* its lead, the first fields, equals that of the one */
	char *next;   /* before, which ends here; NULL: it was not compared */
	char *lead;   /* the text of the lead */
	size_t lead_fields, lead_length, lead_size;

	char *copy; /* of the fields, one behind the other: stream/foreign */
	size_t copy_size;
};

void record_free(struct record *rec);

/*
 * Reads the next record, whose lines it counts. False at the end of the input,
 * and, if `whole`, if the input ends without LF. Dies if it is no CSV.
 */
bool record_read(struct record *rec, struct lines *in, char separator,
                 bool whole);

/*
 * The same if it has n fields, is a row by its first byte, and its lines are in
 * the buffer; else false, with nothing consumed. In most rows the first `lead`
 * fields, less than n, are those of the row before: `repeats` says so.
 */
bool record_take(struct record *rec, struct lines *in, char separator, size_t n,
                 size_t lead);

/* A plain field: its text, and the word_of it. */
struct plain {
	char *text;
	uint64_t word;
};

/*
 * Steps over the next records, at most `most`, that repeat the lead of the
 * record that record_take has taken, as far as they are in the buffer, their
 * other fields are plain and the last one starts with a digit; if `digits`, all
 * but the lead do. Returns their number, and their last fields in `last`.
 */
size_t record_take_run(struct record *rec, struct lines *in, char separator,
                       bool digits, struct plain last[], size_t most);

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
