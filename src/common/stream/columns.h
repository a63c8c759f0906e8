/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Columns: their roles, and those of other programs. */
#ifndef PCB_COMMON_STREAM_COLUMNS_H
#define PCB_COMMON_STREAM_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

/* Roles -------------------------------------------------------------------- */

/* Whether a column may have this name; and the rule, for messages. */
#define NAME_RULE "a name is lower-case letters, digits and _"
bool is_name(const char *name);

/* Whether `kind` is a kind of row; and all kinds, for messages. */
#define KINDS "measured, virtual, simulated, published or imported"
bool is_kind(const char *kind);

/*
 * Whether a column of this name is a key column (true) or a value column. The
 * rule is in pcb-csv(5), "Roles of columns".
 */
bool is_identity(const char *name);

/*
 * Whether the name is that of a statistic, with a unit or without one: min,
 * mean_ns, median, mode, max, stddev, p99, p99_9_ns, or a limit: p99_lo_ns.
 */
bool is_statistic(const char *name);

/* Whether the column is a key column, and no statistic without a unit. */
bool is_label(const char *name);

/* Whether JSON has numbers in this column, else texts, pcb-csv(5). */
bool holds_numbers(const char *name);

/* Whether the name of a key column ends with _bytes. */
bool is_size(const char *name);

/*
 * The unit in the name of a value column: a pointer to "ns", "gbit_s", "per_s",
 * "pct" or "value" at its end, or to the empty string there. "value" counts as
 * a unit; another column names the measure.
 */
const char *unit_of(const char *name);

/* CSV of other programs ---------------------------------------------------- */

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

/*
 * Sets name and factor from a foreign name; converts us, ms and s to ns.
 * Returns the new name, or `theirs`.
 */
const char *foreign_column_set(struct foreign_column *c, const char *theirs);
void foreign_column_free(struct foreign_column *c);

/*
 * The converted cell: a number in our unit; "" for "NaN" and, in a column with
 * a unit, for "-"; blanks before it are no part of it. The text is valid until
 * the next call.
 */
const char *foreign_cell(struct foreign_column *c, const char *theirs);

/*
 * The name of a foreign column in a table: "rtt_ns" for "rtt_ms", else
 * `theirs`. The text is valid until the next call.
 */
const char *foreign_name(const char *theirs);

#endif
