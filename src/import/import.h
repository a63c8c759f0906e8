/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An import: the request, and the rows so far. */
#ifndef PCB_IMPORT_IMPORT_H
#define PCB_IMPORT_IMPORT_H

#include "common/stream/table.h"
#include "import/result.h"

#include <jansson.h>

struct job {
	char *const *file; /* at least one; "-" is stdin */
	size_t nfiles;
	struct labels labels;
	const char *details;   /* --details, or NULL */
	struct preamble map;   /* --map: foreign names and ours */
	struct preamble scale; /* --scale: our names and factors */
	bool verbose;          /* -v */
	bool tried;            /* the format is a guess: messages name it */
	const char *seen;      /* where words of the format stand, or NULL */
	bool head;             /* text and JSON: only the beginning of a file */

	struct result result;
	struct preamble preamble; /* of the input, if it is pcb-csv */
	struct preamble end;
	bool complete;
};

struct text;

/*
 * A format. `read` turns the files of the job into rows of its result; bad
 * input ends the program. Without `read`, the format is text or JSON:
 * `take_line` gets each line that is not empty, and returns false for what only
 * surrounds its tables; it refuses rows that are broken. `take_json` gets each
 * object that starts with a brace at the start of a line, if `loose` also one
 * without quotes that has a member per line, and returns false for another
 * program's. `end` is called at the end of each file.
 */
struct importer {
	const char *name;
	const char *help;
	/* What only this program prints, as in "P2P=Enabled"; or NULL. */
	const char *const *words;
	const char *needs; /* what a file without a result lacks */
	void (*read)(struct job *job);

	bool (*take_line)(struct text *t);
	bool (*take_json)(struct text *t, const json_t *root);
	void (*end)(struct text *t);
	bool loose;
	bool series;         /* equal keys are samples of one run */
	const char *unsized; /* without sizes of copies: what they may be */
	size_t state_size;   /* bytes of take_line's state, or 0 */
};

/*
 * Add columns to an empty result: those common to all benches, up to "link";
 * those of labels; all key columns of benches whose transactions a device
 * starts, and those of labels.
 */
void add_common_identity(struct job *job);
void add_labels(struct job *job);
void add_identity(struct job *job);

/* Starts the rows of a file: run 1, this kind, all else empty. */
void begin_file(struct job *job, const char *kind);

/*
 * A table of CSV of others, with its names and units; or, of a pcb-csv stream,
 * as table_open.
 */
struct table *open_csv(char *const files[], size_t nfiles);

/* A foreign word and ours. */
struct word {
	const char *theirs;
	const char *ours;
};

/* The first word of the list with which the text begins, or NULL. */
const struct word *find_beginning(const char *text, const struct word *words,
                                  size_t n);

#endif
