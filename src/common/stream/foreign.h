/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CSV of other programs: separators, units and missing values. */
#ifndef PCB_COMMON_STREAM_FOREIGN_H
#define PCB_COMMON_STREAM_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

/* A foreign column. Zero-initialise; free with foreign_column_free. */
struct foreign_column {
	char *name;    /* "latency_ns" for "Latency (us)"; NULL: unchanged */
	int power;     /* of ten: our value over the foreign one */
	bool measured; /* its name has a unit */
	char *text;    /* the converted cell */
	size_t size;
};

/* The separator in a header row: comma, semicolon or tab. */
char foreign_separator(const char *header, size_t length);

/* Whether a first row is no header: all of its fields are numbers. */
bool foreign_is_headless(const char *const field[], size_t n);

/* Sets name and factor from a foreign name; converts us, ms and s to ns. */
void foreign_column_set(struct foreign_column *c, const char *theirs);
void foreign_column_free(struct foreign_column *c);

/* Makes `to`, zero-initialised, convert cells as `from` does. */
void foreign_column_copy(struct foreign_column *to,
                         const struct foreign_column *from);

/*
 * The converted cell: a number in our unit; "" for "NaN" and, in a column with
 * a unit, for "-". The text is valid until the next call.
 */
const char *foreign_cell(struct foreign_column *c, const char *theirs);

/*
 * The name of a foreign column in a table: "rtt_ns" for "rtt_ms", else
 * `theirs`. The text is valid until the next call.
 */
const char *foreign_name(const char *theirs);

#endif
