/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What importers of text and of JSON share: lines, cells, rows. */
#ifndef PCB_IMPORT_TEXT_H
#define PCB_IMPORT_TEXT_H

#include "import/import.h"

#include "common/stream/lines.h"

#include <jansson.h>

/* Words of a line that an importer can take; a matrix has one for each GPU. */
#define TEXT_WORDS 258

/* A file being read, and the line that an importer is given. */
struct text {
	struct job *job;
	void *state; /* of the importer, all 0 at the beginning of each file */
	const char *line; /* without blanks at its ends; never empty */
	char *word[TEXT_WORDS];
	size_t nwords;

	/* Of the reader. */
	struct lines in;
	char *text; /* of the words */
	size_t size;
};

/*
 * Reads the files of the job by its `read`, or else line by line. Then it dies
 * of a line that the importer does not understand, and of a file without a row.
 */
void import_read(struct job *job, const struct importer *importer);

/*
 * Splits the line into words, between which these characters stand; they have
 * no blanks at their ends. If a blank is not one of those, words may be empty.
 */
void text_split(struct text *t, const char *separators);

/* Whether the line begins so. */
bool text_begins(const struct text *t, const char *beginning);

/*
 * The text behind the beginning, without the blanks there, if the line begins
 * so; else NULL.
 */
const char *text_after(const struct text *t, const char *beginning);

/* Ends the program with a message about the line. */
_Noreturn void text_die(const struct text *t, const char *fmt, ...)
    PRINTF_LIKE(2, 3);

/*
 * A row: text_row empties all cells and sets these two, the others set a cell,
 * text_end_row appends it. text_count takes a whole number from 0 to 2^53,
 * text_measure a number in a unit of scale_unit, which becomes ours. They die
 * of another text.
 */
void text_row(struct text *t, const char *bench, const char *device);
void text_set(struct text *t, const char *column, const char *value);
void text_count(struct text *t, const char *column, const char *word);
void text_measure(struct text *t, const char *column, const char *word,
                  const char *unit);
void text_end_row(struct text *t);

/* A number from 0 up; dies of another text. */
double text_number(const struct text *t, const char *word);

/*
 * The member `key` of an object. Dies where that has none, or one of another
 * type; `of` says in messages whose member it is.
 */
json_t *text_member(const struct text *t, const json_t *object, const char *of,
                    const char *key, json_type type);

/* A number of JSON as text, to be freed; dies of another value. */
char *text_of_number(const struct text *t, const json_t *value,
                     const char *what);

#endif
