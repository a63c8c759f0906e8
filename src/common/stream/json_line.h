/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line of JSON lines: a row, or what stands before or behind the rows. */
#ifndef PCB_COMMON_STREAM_JSON_LINE_H
#define PCB_COMMON_STREAM_JSON_LINE_H

#include <stdbool.h>
#include <stddef.h>

enum json_kind {
	JSON_ROW,
	JSON_PREAMBLE, /* {"preamble":{...}}: of the rows behind it */
	JSON_END,      /* {"end":{...}}: of the rows before it */
};

/*
 * An object: names and values in their order, as texts. A missing value (null)
 * is "", the items of a list have blanks between them. Zero-initialise; release
 * with json_line_free.
 */
struct json_line {
	enum json_kind kind;
	char **name, **value; /* valid until the next line */
	size_t n;

	/* Names of the last row, which outlive it. */
	char **row_name;
	size_t nrow_names;
	bool renamed; /* this row has other names than the last one */
};

/* Takes the object of a line of this length. Returns NULL, or what is wrong. */
const char *json_line_parse(struct json_line *j, const char *line,
                            size_t length);
void json_line_free(struct json_line *j);

#endif
