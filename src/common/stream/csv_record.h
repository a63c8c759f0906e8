/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One record as fields: by libcsv, or quicker where it is plain. */
#ifndef PCB_COMMON_STREAM_CSV_RECORD_H
#define PCB_COMMON_STREAM_CSV_RECORD_H

#include "common/stream/lines.h"

#include <csv.h>

/*
 * The fields of the record read last. They lie in `text`, or, where it was
 * plain, in the buffer of the input. Most rows begin as the row before and
 * differ in their last field, so only what differs is looked at.
 */
struct record {
	const char **field;
	char **end; /* of plain records */
	size_t n, max;

	char *text;
	size_t used, size;
	bool done;
	struct csv_parser csv;

	/* Of plain records, while they come one after the other. */
	uintmax_t fills; /* the input's at the last one; 0: it was not plain */
	size_t first;    /* so many fields are as in the record before */
	char *prefix;    /* these, as the next line is expected to begin */
	size_t length, prefix_size;
	unsigned patience; /* rows until one field more is compared */
	size_t watched;    /* the number of a field, */
	uint64_t word;     /* and its text, if it is short: see table.h */
};

/* Call once, on a zeroed record. */
void record_init(struct record *rec);
void record_free(struct record *rec);

/*
 * Parses the record that begins with `line`, reading further lines while a
 * quote is open. Dies if it is not CSV. False, with `whole`, if the input ends
 * within the record, without LF.
 */
bool record_read(struct record *rec, struct lines *in, const char *line,
                 size_t length, bool whole);

/*
 * Takes the next line where it lies, if it has n fields; some may be quoted, if
 * they hold no quote and no line end. False,
 * and nothing has happened, for any other line, one that is not yet in the
 * buffer, and wrong ones: lines_next and record_read see to those. Fields
 * before *changed are those of the record before, in place and unchanged.
 */
bool record_take_plain(struct record *rec, struct lines *in, size_t n,
                       size_t *changed);

/* Sets the fields to texts, which stay the caller's. */
void record_set(struct record *rec, char *const text[], size_t n);

#endif
