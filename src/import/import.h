/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One import: what was asked for and what has been read. */
#ifndef PCB_IMPORT_IMPORT_H
#define PCB_IMPORT_IMPORT_H

#include "common/stream/table.h"
#include "import/name_map.h"
#include "import/result.h"

#include <jansson.h>

struct job {
	char *const *file; /* at least one; "-" is stdin */
	size_t nfiles;
	struct labels labels;
	const char *details;   /* of --details, or NULL */
	struct name_map map;   /* of --map: their names and ours */
	struct name_map scale; /* of --scale: our names and factors */

	struct result result;
	struct preamble preamble; /* that of the input, if it is ours */
	struct preamble end;
	bool complete;
};

struct text;

/*
 * A format is one of these, for import_read. `read` turns the files of the job
 * into rows of its result; bad input ends the program. Without it the format is
 * text or JSON: `take_line` is given each line but those that are empty or
 * begin as one of `ignored`, and returns whether it understands the line;
 * `take_json` is given what begins with the first line that begins with a
 * brace.
 */
struct importer {
	const char *name;
	const char *help;
	void (*read)(struct job *job);

	bool (*take_line)(struct text *t);
	void (*take_json)(struct text *t, const json_t *root);
	const char *const *ignored; /* ended by NULL; or NULL */
	size_t state_size;          /* of what take_line keeps, or 0 */
};

extern const struct importer pciebench_importer, nettlp_importer, ndl_importer,
    csv_importer, nvbandwidth_importer, bandwidthtest_importer,
    p2ptest_importer, gdrcopy_importer, transferbench_importer, rocm_importer,
    perftest_importer, mlc_importer, fio_importer, xdma_importer, qdma_importer,
    iostat_importer, pcm_iio_importer;

/* Identity columns of benches whose transactions a device starts. */
enum column {
	COL_HOST,
	COL_RUN,
	COL_KIND,
	COL_BENCH,
	COL_DEVICE,
	COL_LINK,
	COL_INTERFACE,
	COL_SIZE,
	COL_OFFSET,
	COL_DEVICE_OFFSET,
	COL_WINDOW,
	COL_PATTERN,
	COL_CACHE,
	COL_NODE,
	COL_IOMMU,
	COL_PAGE,
};

/*
 * Adds the columns above to an empty result, so that their numbers are
 * those, and then the columns of labels.
 */
void add_identity(struct job *job);
void add_labels(struct job *job);

/* Adds those up to COL_LINK to an empty result, which all benches have. */
void add_common_identity(struct job *job);

/* Begins the rows of a file: run 1, of this kind, all else empty. */
void begin_file(struct job *job, const char *kind);

/*
 * Cells of the current row. A column that is not there, a text that is no
 * number, or no whole one from 0 to 2^53, end the program.
 */
const char *cell_text(const struct table *t, const char *name);
double cell_number(const struct table *t, const char *name);
uint64_t cell_integer(const struct table *t, const char *name);

/* Ends the program with a message about the cell of that name. */
_Noreturn void cell_die(const struct table *t, const char *name,
                        const char *why);

/* One of their words and what it is called here. */
struct word {
	const char *theirs;
	const char *ours;
};

/* The cell's word as ours; one that is not in the list ends the program. */
const char *cell_word(const struct table *t, const char *name,
                      const struct word *words, size_t nwords);

#endif
