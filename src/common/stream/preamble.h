/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metadata: the lines of a stream that start with #. */
#ifndef PCB_COMMON_STREAM_PREAMBLE_H
#define PCB_COMMON_STREAM_PREAMBLE_H

#include "common/base/util.h"

#include <stdint.h>
#include <stdio.h>

struct lines;

/* Preamble: "# key: value" ------------------------------------------------- */

/* The key with names of devices: "BDF=name; BDF=name", without ";" in names. */
#define DEVICE_NAMES "device_names"

/*
 * Keys are unique and keep their order. Zero-initialise; release with
 * preamble_free. Values hold no control characters.
 */
struct preamble {
	struct preamble_entry {
		char *key;
		char *value;
	} * entry;
	size_t n;
};

/*
 * Sets `key` to the formatted text, which may use the old value. Control
 * characters become '?'.
 */
void preamble_set(struct preamble *pre, const char *key, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

/* The value of `key`, valid until it changes, or NULL. */
const char *preamble_get(const struct preamble *pre, const char *key);

/*
 * clock_tick_ns: the tick of the clock that timed the rows, in ns; 0 if it is
 * missing or not a number.
 */
double preamble_tick_ns(const struct preamble *pre);

void preamble_free(struct preamble *pre);

/* Sets in `into` all entries of `other`. */
void preamble_copy(struct preamble *into, const struct preamble *other);

/*
 * Keeps in `into` only the entries that `other` has with the same value; of
 * clock_tick_ns, keeps the larger value, since pcb-diff(1) compares with it;
 * adds counts of interrupts and involuntary switches.
 */
void preamble_intersect(struct preamble *into, const struct preamble *other);

/* Appends program_command to the value of "command", after " | ". */
void preamble_add_command(struct preamble *pre);

/* Appends "text (of)" to the list under `key`, after "; ". */
void preamble_note(struct preamble *pre, const char *key, const char *text,
                   const char *of);

/* Writes a line "# key: value" for each entry; errors stay in ferror. */
void preamble_write(const struct preamble *pre, FILE *to);

/* Parts: mark, preamble and end line --------------------------------------- */

/* Zero-initialise, then part_begin; release with part_free. */
struct stream_part {
	bool ours;    /* it starts with "# pcb-csv:" */
	bool compact; /* in version 2: it may have constant columns */
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
 * Where the list of constant columns begins in such a line, "# constant: LIST"
 * which only a compact part may have; 0 for any other line.
 */
size_t part_constants(const char *line, size_t length);

/*
 * Whether the line is FAILED_STREAM (util.h), which a failing program writes
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
