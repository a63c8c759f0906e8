/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses a line of JSON lines: a row, a preamble or an end. */
#ifndef PCB_COMMON_STREAM_JSON_LINE_H
#define PCB_COMMON_STREAM_JSON_LINE_H

#include <stdbool.h>
#include <stddef.h>

enum json_kind {
	JSON_ROW,
	JSON_PREAMBLE, /* {"preamble":{...}} of the rows that follow */
	JSON_END,      /* {"end":{...}} of the rows before */
};

/*
 * An object: names and values in order, as texts. null becomes "", a list its
 * items separated by blanks. Zero-initialise; release with json_line_free.
 */
struct json_line {
	enum json_kind kind;
	char **name, **value; /* valid until the next line */
	size_t n;

	/* Names of the last row; they stay valid after it. */
	char **row_name;
	size_t nrow_names;
	bool renamed; /* this row has other names than the last one */
};

/* Parses the object in such a line. Returns NULL, or what is wrong. */
const char *json_line_parse(struct json_line *j, const char *line,
                            size_t length);
void json_line_free(struct json_line *j);

#endif
