/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The writer of samples: identity bytes copied, numbers printed. */
#ifndef PCB_COLLECT_RUN_SAMPLE_WRITER_H
#define PCB_COLLECT_RUN_SAMPLE_WRITER_H

#include "collect/run/collection.h"
#include "common/stream/writer.h"

/* Zero-initialise; set bench and labels. */
struct rows {
	const struct bench *bench;
	const struct labels *labels;
	struct out out;
	char *prefix; /* the identity of the current series, up to its last
	                 comma */
	size_t prefix_length;
	char *buffer;
};

/* Writes preamble and header. */
void rows_begin(struct rows *rows, struct preamble *pre, bool no_preamble);

/*
 * What follows belongs to this series: its texts, those of `fallback` where
 * it has none, and the labels, which win over both.
 */
void rows_series(struct rows *rows, const struct series *series,
                 char *const fallback[NIDENTITY]);

/* The text a series, a label or the fallback gives a column; "" if none. */
const char *rows_identity(const struct rows *rows, const struct series *series,
                          char *const fallback[NIDENTITY],
                          enum identity column);

/* Writes n samples of bench->width integers each. Ends on a write error. */
void rows_write(struct rows *rows, const uint64_t *raw, size_t n);

/* Writes the end line and frees. */
void rows_finish(struct rows *rows, bool complete, const struct preamble *end);

#endif
