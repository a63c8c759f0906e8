/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by importers of text and JSON: lines, tables, cells, rows. */
#ifndef PCB_IMPORT_TEXT_H
#define PCB_IMPORT_TEXT_H

#include "import/decimal.h"
#include "import/import.h"

#include "common/stream/record.h"

#include <jansson.h>
#include <regex.h>
#include <setjmp.h>

/* Most words that are kept of a line. */
#define TEXT_WORDS (GPUS_MAX + 3)

#define GPUS_MAX     256
#define GPU_NAME_MAX 96

/* A column of a foreign table, or a member of an object. */
struct text_column {
	const char *title; /* in the table, one blank between words */
	const char *name;  /* ours; NULL: its cells are checked and left out */
	const char *unit;  /* one of scale_unit, or of the three below */
};

#define COUNT  NULL /* a whole number from 0 to 2^53 */
#define NUMBER ""   /* any number, without a unit; not negative if named */
#define WORD   "?"  /* any text */

/* A phrase of a heading; the column that says so, or NULL, and its value. */
struct text_phrase {
	const char *theirs;
	const char *column;
	const char *ours;
};

/* Most bytes of a label of a matrix. */
#define LABEL_MAX 16

/* A file being read, and its current line. */
struct text {
	struct job *job;
	void *state;      /* of the importer, zeroed for each file */
	const char *line; /* without surrounding blanks; never empty */
	char *word[TEXT_WORDS];
	size_t nwords;

	/* The open table, or matrix. */
	size_t ncols;                              /* 0: none is open */
	const struct text_column *col[TEXT_WORDS]; /* NULL in a matrix */
	char label[TEXT_WORDS][LABEL_MAX];         /* of a matrix */
	bool lasts; /* no empty line ends it; false when it is opened */

	size_t rows; /* of it so far */
	bool series; /* equal keys are samples of one run */
	bool cut;    /* for end(): the last line of the file has no end */

	/* Private. */
	const char *format;
	struct lines in;
	regex_t marks;
	char *text; /* of the words */
	size_t size;
	struct record csv;
	size_t gap; /* empty lines since the last row */
	bool torn;  /* the line has no LF, and is not skipped */
	jmp_buf leave;
	bool begun; /* a row of a new key */
	struct preamble modes, settings;
	struct preamble later; /* settings, behind the row that has begun */
	struct key_set keys;   /* of all rows */
	struct test {
		uint64_t runs;            /* rows with this key, */
		struct preamble settings; /* and those of the first one */
	} * test;
	size_t room;
	uintmax_t skipped;
	char *like_row;  /* about the first of these that looks like a row */
	bool impossible; /* a row that is faster than any link was noted */
	bool spaced;     /* empty lines are between the rows */
};

/*
 * Reads the files of the job with the importer's `read`, or else line by line:
 * skips lines that the importer does not take, without colours and what mail,
 * mpirun, srun and ts put before a line. Dies if a file has no row.
 */
void import_read(struct job *job, const struct importer *importer);

/* Makes this text the current line, and splits it at blanks. */
void text_use(struct text *t, const char *line);

/*
 * Split the line into words: at these characters; or into the fields of a line
 * of CSV.
 */
void text_split(struct text *t, const char *separators);
void text_split_csv(struct text *t);

/* Whether the line starts with `beginning`. */
bool text_begins(const struct text *t, const char *beginning);

/*
 * The rest of the line behind `beginning`, without leading blanks; NULL if the
 * line does not start with it.
 */
const char *text_after(const struct text *t, const char *beginning);

/*
 * Whether a GPU of this name is in a package with the host's CPU: its copies
 * say nothing about PCIe.
 */
bool is_fused(const char *gpu);

/*
 * Ends the program with a message about the line; but leaves out the last line
 * of a file if it has no end: such an output was cut off and is not complete.
 */
_Noreturn void text_die(const struct text *t, const char *fmt, ...)
    PRINTF_LIKE(2, 3);

/* Tables ------------------------------------------------------------------- */

/*
 * A table ends before the next one, and at an empty line, unless there is one
 * between its titles and its first row: then two in a row end it.
 *
 * text_header opens the table whose titles are in `line`; false if the first
 * one is not that of columns[0]. Dies of a title that is not in the list, or
 * there less often, of fewer than `least`, and of one column in two units.
 * text_open opens one with these columns, text_open_matrix one whose rows have
 * a label and a value for each word of the current line from `first` on.
 */
bool text_header(struct text *t, const char *line,
                 const struct text_column *columns, size_t n, size_t least);
void text_open(struct text *t, const struct text_column *columns, size_t n);
void text_open_matrix(struct text *t, size_t first);
void text_close(struct text *t);

/*
 * Whether the current line is a row of the open table. Dies of a broken one:
 * most of its words, or of the columns of numbers, hold numbers, but there are
 * too few or too many.
 */
bool text_is_row(struct text *t);

/* Whether most words of the line are numbers, or meant to be. */
bool text_is_numbers(const struct text *t);

/* Sets the cells of the columns from `from` up to `to`. */
void text_cells(struct text *t, size_t from, size_t to);

/*
 * Whether the current line is a row of the open matrix; then calls cell() for
 * each value except "N/A" and "-".
 */
bool text_matrix_row(struct text *t,
                     void (*cell)(struct text *t, const char *row,
                                  const char *column, const char *value));

/* Rows --------------------------------------------------------------------- */

/*
 * text_row clears all cells and sets these two; text_set sets one to a text,
 * text_cell to a number in this unit, converted; text_end_row appends the row.
 * text_cell dies of other texts. The first row after text_row has the next run
 * of its key, and so have those after it, unless it is one of a series.
 */
void text_row(struct text *t, const char *bench, const char *device);
void text_set(struct text *t, const char *column, const char *value);
void text_cell(struct text *t, const char *column, const char *unit,
               const char *word);
void text_end_row(struct text *t);

/* A number that is not negative; dies of another text. */
double text_number(const struct text *t, const char *word);

/*
 * What a file says of all rows that follow, until it says something else: the
 * value of a column; NULL or "": nothing. What an importer does not know, but
 * where titles and settings stand, text_unknown adds to the column "test", so
 * that two things are never two runs of one. text_modes_clear forgets all.
 */
void text_mode(struct text *t, const char *column, const char *value);
void text_mode_count(struct text *t, const char *column, size_t count);
void text_unknown(struct text *t, const char *fmt, ...) PRINTF_LIKE(2, 3);
void text_modes_clear(struct text *t);

/*
 * A setting that no column has, until the file ends or says it again. Of two
 * rows with equal keys, the second one is no other run if they had different
 * values, but has its own in the column "test". A row has the settings of its
 * text_row. Commands and titles of the user's are settings for all importers.
 */
void text_setting(struct text *t, const char *name, const char *value);

/*
 * Sets the columns of the phrases in the heading, up to `end` unless that is
 * NULL; its rest is unknown.
 */
void text_heading(struct text *t, const char *heading, const char *end,
                  const struct text_phrase *phrases, size_t n);

/* JSON --------------------------------------------------------------------- */

/*
 * The member `key` of an object. Dies if it is missing or of another type; `of`
 * names the object in messages.
 */
json_t *text_member(const struct text *t, const json_t *object, const char *of,
                    const char *key, json_type type);

/* Sets cells to the object's members; dies of one that is not a number. */
void text_members(struct text *t, const json_t *object,
                  const struct text_column *columns, size_t n);

/* Names of GPUs by their number in an output ------------------------------- */

/* Zero-initialise. */
struct gpu_names {
	char name[GPUS_MAX][GPU_NAME_MAX];
};

/*
 * Sets the name of a GPU to the address of its first function, for texts that
 * start with the number and with an address such as "0000:3b:00", which may be
 * NULL or another text. Ignores a number that is too large. False without one.
 */
bool gpu_take(struct gpu_names *names, const char *number, const char *address);

/* Whether a GPU can access the memory of another. Zero-initialise. */
struct gpu_access {
	enum { ACCESS_UNKNOWN, ACCESS_YES, ACCESS_NO } of[GPUS_MAX][GPUS_MAX];
};

/*
 * gpu_access_take stores an answer; the GPUs are numbers. gpu_access_set sets
 * the column "peer_access" of the current row to "yes", or "no" if copies go
 * through the host; it leaves it empty for one GPU, and if it is not known.
 */
void gpu_access_take(struct gpu_access *access, const char *from,
                     const char *to, bool can);
void gpu_access_set(struct text *t, const struct gpu_access *access,
                    const char *from, const char *to);

/*
 * The name of the GPU whose number is `word` of the current line: its address,
 * or "gpu3" if that is unknown. It is valid until the next call. Dies unless
 * the word is a number below GPUS_MAX.
 */
const char *gpu_name(const struct text *t, struct gpu_names *names,
                     const char *word);

#endif
