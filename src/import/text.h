/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by importers of text and JSON: lines, cells, rows. */
#ifndef PCB_IMPORT_TEXT_H
#define PCB_IMPORT_TEXT_H

#include "import/decimal.h"
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
	bool gap; /* an empty line came after the header and the last row */

	/* Private. */
	struct lines in;
	char *text; /* of the words */
	size_t size;
};

/*
 * Reads the files of the job with the importer's `read`, or else line by line:
 * skips lines that the importer does not take, without colours and the marks
 * that mail and mpirun put before a line. Dies if a file has no row.
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

/*
 * Whether the current line is meant as a row of a table with so many words, be
 * it a broken one: the importer then takes or refuses it, and does not skip it.
 */
bool text_is_row(const struct text *t, size_t nwords);

/*
 * Whether a GPU of this name reaches host memory over NVLink-C2C: its copies
 * say nothing about PCIe.
 */
bool is_c2c(const char *gpu);

/* Ends the program with a message about the line. */
#define text_die(t, ...) lines_die(&(t)->in, NULL, __VA_ARGS__)

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

/* Matrices: a row of labels, then labelled rows. */
#define MATRIX_LABEL_MAX 16

/* Zero-initialise: no matrix is open. */
struct matrix {
	size_t ncols; /* 0: no header read yet */
	char label[TEXT_WORDS][MATRIX_LABEL_MAX];
};

/* Takes the current line as header; words from index `skip` on are labels. */
void matrix_begin(struct text *t, struct matrix *m, size_t skip);

/*
 * Whether the current line is a row of the matrix, as in text_is_row; then
 * calls cell() for each value except "N/A". Dies if the row is broken.
 */
bool matrix_row(struct text *t, const struct matrix *m,
                void (*cell)(struct text *t, const char *row,
                             const char *column, const char *value));

/* Names of GPUs by their number in an output. */
#define GPUS_MAX     256
#define GPU_NAME_MAX 96

/* Zero-initialise. */
struct gpu_names {
	char name[GPUS_MAX][GPU_NAME_MAX];
};

/*
 * Sets the name of a GPU to the address of its first function. Ignores a number
 * that is too large.
 */
void gpu_set(struct gpu_names *names, size_t number, unsigned domain,
             unsigned bus, unsigned device);

/*
 * The same for texts that start with the number and with an address such as
 * "0000:3b:00", which may be NULL or another text. False without a number.
 */
bool gpu_take(struct gpu_names *names, const char *number, const char *address);

/*
 * Parses hexadecimal numbers separated by colons or points, as in "0000:3b:00",
 * at the start of the text. Returns how many, at most n, there are.
 */
size_t hex_numbers(const char *text, unsigned value[], size_t n);

/* Whether the text starts with a decimal number; stores it. */
bool leading_number(const char *text, size_t *value);

/*
 * The name of the GPU whose number is `word` of the current line: its address,
 * or "gpu3" if that is unknown. It is valid until the next call. Dies unless
 * the word is a number below GPUS_MAX.
 */
const char *gpu_name(const struct text *t, struct gpu_names *names,
                     const char *word);

#endif
