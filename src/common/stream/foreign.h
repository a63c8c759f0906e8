/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CSV of other programs: their separators, units and missing values. */
#ifndef PCB_COMMON_STREAM_FOREIGN_H
#define PCB_COMMON_STREAM_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

/* A column of theirs. Zero-initialise; free with foreign_column_free. */
struct foreign_column {
	char *name;    /* "latency_ns" for their "Latency (us)"; NULL: theirs */
	int power;     /* ours is theirs times ten to this */
	bool measured; /* by its name, it has a unit */
	char *text;    /* the cell as ours */
	size_t size;
};

/* What separates the fields of a header row: a comma, semicolon or tab. */
char foreign_separator(const char *header, size_t length);

/* Whether a first row is no header: all its fields are numbers. */
bool foreign_is_headless(const char *const field[], size_t n);

/* What our name for their column is, if it is in us, ms or s. */
void foreign_column_set(struct foreign_column *c, const char *theirs);
void foreign_column_free(struct foreign_column *c);

/*
 * Their cell as ours: a number in our unit, and "" for "NaN" and, in a column
 * with a unit, "-". The text lasts until the next call.
 */
const char *foreign_cell(struct foreign_column *c, const char *theirs);

/*
 * What a column called `theirs` is called in a table: "rtt_ns" for "rtt_ms",
 * else `theirs`. The text lasts until the next call.
 */
const char *foreign_name(const char *theirs);

#endif
