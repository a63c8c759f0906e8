/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A part of a stream: what its lines that begin with # say, pcb-csv(5). */
#ifndef PCB_COMMON_STREAM_PART_H
#define PCB_COMMON_STREAM_PART_H

#include "common/stream/lines.h"
#include "common/stream/preamble.h"

/* Zero-initialise, part_begin; release with part_free. */
struct stream_part {
	bool ours;    /* it began with a line of ours */
	bool in_rows; /* its header has been read */
	uintmax_t rows;
	struct preamble preamble;

	bool ended; /* it had an end line, with these values: */
	bool end_complete;
	uintmax_t end_rows;
	struct preamble end_keys; /* all but the two before */

	char *rest; /* of the line last looked at */
};

/* Forgets the part before; the keys of its end are the caller's by now. */
void part_begin(struct stream_part *p, bool ours);
void part_free(struct stream_part *p);

/*
 * Whether a new part begins with this line, LF included. Dies of a version of
 * the format that is not known here.
 */
bool part_is_mark(struct stream_part *p, const struct lines *in,
                  const char *line, size_t length);

/* Takes a line before the header: a key of the preamble, or nothing. */
void part_take_comment(struct stream_part *p, const char *line, size_t length);

/*
 * Whether the line is FAILED_STREAM (util.h), which a program writes in place
 * of a header when it fails. False inside a part that has "# pcb-csv:".
 */
bool part_failed(const struct stream_part *p, const char *line, size_t length);

/* Takes an end line; false for any other. Dies of one that is not whole. */
bool part_take_end(struct stream_part *p, const struct lines *in,
                   const char *line, size_t length);

/*
 * At the end of a part with a header: whether it is complete. Otherwise warns,
 * with the name of the file.
 */
bool part_is_whole(const struct stream_part *p, const char *file);

/* How many parts this one was merged from: filters keep the number. */
uint64_t part_count(const struct stream_part *p);

#endif
