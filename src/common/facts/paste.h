/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of a text as mail, pages, terminals and archives pass it on. */
#ifndef PCB_COMMON_FACTS_PASTE_H
#define PCB_COMMON_FACTS_PASTE_H

#include <stdbool.h>
#include <stdio.h>

#define PASTE_LINE 65536 /* a longer line is read in pieces */
#define NO_COLUMN  ((size_t)-1)

struct paste {
	FILE *from;
	char *rest;    /* of the line, behind the part returned; or NULL */
	size_t length; /* of the line as it was, with what is removed */
	size_t column; /* in which the part returned began; or NO_COLUMN */
	bool begins;   /* the part returned is the first of its line */
	bool any;      /* a line was read */
	bool whole;    /* the line has an end */
	char line[PASTE_LINE];
};

/* Ends with paste_end, which leaves the file open. */
struct paste *paste_begin(FILE *from);

/*
 * The next line, or part of it where a string holds several; NULL at the end.
 * What mail, pages and terminals add is removed (quotation marks, encodings,
 * colours, carriage returns, a zero byte), and white space is one blank. Valid,
 * and the caller's to change, until the next call.
 */
char *paste_next(struct paste *p);
void paste_end(struct paste *p);

/* The byte that two hexadecimal digits are, or NO_BYTE. */
#define NO_BYTE 0xffffffffu
unsigned hex_byte(const char *text);

/* Whether a text begins with the IDs of vendor and device, "10de:2684". */
bool are_ids(const char *text);

#endif
