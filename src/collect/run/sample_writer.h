/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes samples: copies identities, prints numbers. */
#ifndef PCB_COLLECT_RUN_SAMPLE_WRITER_H
#define PCB_COLLECT_RUN_SAMPLE_WRITER_H

#include "collect/core/session.h"
#include "common/cli/labels.h"
#include "common/stream/writer.h"

/* Zero-initialise; set the members up to `many`. */
struct sample_writer {
	const struct bench *bench;
	enum bench_group group;      /* rows have its columns */
	const struct labels *labels; /* override all other texts */
	char *const *default_id;     /* texts that a series may lack */
	enum format format;          /* CSV, JSON or JSONL */
	bool wide;                   /* repeat constant columns in each row */
	bool many; /* series are prepared again: for other points or runs */
	struct out out;
	const char **name; /* of the columns; first the keys */
	size_t nkeys;
	char **constant; /* of each key: the text in all rows, or NULL */
	char *prefix; /* identity of the current series, with its last comma */
	size_t prefix_length;
	char *buffer;
};

/*
 * Writes preamble and header, and the columns that are constant if the first n
 * series have these texts.
 */
void sample_writer_begin(struct sample_writer *writer, struct preamble *pre,
                         bool no_preamble, const struct series series[],
                         size_t n);

/* Starts a series. */
void sample_writer_series(struct sample_writer *writer,
                          const struct series *series);

/* Writes n samples of bench->width integers each; ends on a write error. */
void sample_writer_write(struct sample_writer *writer, const uint64_t *raw,
                         size_t n);

/* Writes the end line and frees memory. */
void sample_writer_finish(struct sample_writer *writer, bool complete,
                          const struct preamble *end);

#endif
