/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The writer of samples: identity bytes copied, numbers printed. */
#ifndef PCB_COLLECT_RUN_SAMPLE_WRITER_H
#define PCB_COLLECT_RUN_SAMPLE_WRITER_H

#include "collect/core/series.h"
#include "common/cli/labels.h"
#include "common/stream/writer.h"

/* Zero-initialise; set bench, group and labels. */
struct sample_writer {
	const struct bench *bench;
	enum bench_group group; /* whose columns rows have */
	const struct labels *labels;
	bool json; /* JSON lines, else csv */
	struct out out;
	char *prefix; /* the identity of the current series, up to its last
	                 comma */
	size_t prefix_length;
	char *buffer;
};

/* Writes preamble and header. */
void sample_writer_begin(struct sample_writer *writer, struct preamble *pre,
                         bool no_preamble);

/*
 * What follows belongs to this series: its texts, those of `default_id` where
 * it has none, and the labels, which win over both.
 */
void sample_writer_series(struct sample_writer *writer,
                          const struct series *series,
                          char *const default_id[NIDENTITY]);

/* The text a series, a label or the default_id gives a column; "" if none. */
const char *sample_writer_identity(const struct sample_writer *writer,
                                   const struct series *series,
                                   char *const default_id[NIDENTITY],
                                   enum identity column);

/* Writes n samples of bench->width integers each. Ends on a write error. */
void sample_writer_write(struct sample_writer *writer, const uint64_t *raw,
                         size_t n);

/* Writes the end line and frees. */
void sample_writer_finish(struct sample_writer *writer, bool complete,
                          const struct preamble *end);

#endif
