/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by importers of text and JSON: lines, cells, rows. */
#ifndef PCB_IMPORT_TEXT_H
#define PCB_IMPORT_TEXT_H

#include "import/import.h"

#include "common/stream/lines.h"

#include <jansson.h>

/* Most words of a line; a matrix has one per GPU. */
#define TEXT_WORDS 258

/* A file being read, and its current line. */
struct text {
	struct job *job;
	void *state;      /* of the importer, zeroed for each file */
	const char *line; /* without surrounding blanks; never empty */
	char *word[TEXT_WORDS];
	size_t nwords;

	/* Private. */
	struct lines in;
	char *text; /* of the words */
	size_t size;
};

/*
 * Reads the files of the job with the importer's `read`, or else line by line;
 * dies then if the importer does not understand a line or a file has no row.
 */
void import_read(struct job *job, const struct importer *importer);

/*
 * Splits the line into words at these characters and trims blanks. If blank is
 * not a separator, words may be empty.
 */
void text_split(struct text *t, const char *separators);

/* Whether the line starts with `beginning`. */
bool text_begins(const struct text *t, const char *beginning);

/*
 * The rest of the line behind `beginning`, without leading blanks; NULL if the
 * line does not start with it.
 */
const char *text_after(const struct text *t, const char *beginning);

/* Ends the program with a message about the line. */
_Noreturn void text_die(const struct text *t, const char *fmt, ...)
    PRINTF_LIKE(2, 3);

/*
 * A row: text_row clears all cells and sets these two, the others set a cell,
 * text_end_row appends the row. text_count takes an integer from 0 to 2^53,
 * text_measure a number in a unit of scale_unit, which it converts. They die of
 * other texts.
 */
void text_row(struct text *t, const char *bench, const char *device);
void text_set(struct text *t, const char *column, const char *value);
void text_count(struct text *t, const char *column, const char *word);
void text_measure(struct text *t, const char *column, const char *word,
                  const char *unit);
void text_end_row(struct text *t);

/* A number that is not negative; dies of another text. */
double text_number(const struct text *t, const char *word);

/*
 * The member `key` of an object. Dies if it is missing or of another type; `of`
 * names the object in messages.
 */
json_t *text_member(const struct text *t, const json_t *object, const char *of,
                    const char *key, json_type type);

/* A JSON number as text, to be freed; dies of another value. */
char *text_of_number(const struct text *t, const json_t *value,
                     const char *what);

#endif
