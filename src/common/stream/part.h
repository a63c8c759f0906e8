/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A part of a stream: its lines that start with #, pcb-csv(5). */
#ifndef PCB_COMMON_STREAM_PART_H
#define PCB_COMMON_STREAM_PART_H

#include "common/stream/lines.h"
#include "common/stream/preamble.h"

/* Zero-initialise, then part_begin; release with part_free. */
struct stream_part {
	bool ours;    /* it starts with "# pcb-csv:" */
	bool in_rows; /* its header has been read */
	uintmax_t rows;
	struct preamble preamble;

	bool ended; /* an end line was read, with these values: */
	bool end_complete;
	uintmax_t end_rows;
	struct preamble end_keys; /* all but the two above */

	char *rest; /* buffer for the last line */
};

/* Resets it for a new part; frees no end_keys: the caller has taken them. */
void part_begin(struct stream_part *p, bool ours);
void part_free(struct stream_part *p);

/*
 * Whether a new part starts with this line, LF included. Dies if the version of
 * the format is unknown.
 */
bool part_is_mark(struct stream_part *p, const struct lines *in,
                  const char *line, size_t length);

/* Parses a line before the header: adds a key of the preamble, or nothing. */
void part_take_comment(struct stream_part *p, const char *line, size_t length);

/*
 * Whether the line is FAILED_STREAM (program.h), which a failing program writes
 * instead of a header. False inside a part that has "# pcb-csv:".
 */
bool part_failed(const struct stream_part *p, const char *line, size_t length);

/* Parses an end line; false for any other. Dies if it is incomplete. */
bool part_take_end(struct stream_part *p, const struct lines *in,
                   const char *line, size_t length);

/*
 * Whether a part with a header is complete. If not, warns with the name of the
 * file.
 */
bool part_is_whole(const struct stream_part *p, const char *file);

/* The number of parts that this one was merged from, at least 1. */
uint64_t part_count(const struct stream_part *p);

#endif
