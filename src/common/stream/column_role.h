/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Roles of columns, by name and never by values. */
#ifndef PCB_COMMON_STREAM_COLUMN_ROLE_H
#define PCB_COMMON_STREAM_COLUMN_ROLE_H

#include <stdbool.h>

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
 * Whether the name is a statistic of a measure without a unit: min, mean,
 * median, mode, max, stddev, p99 or p99_9.
 */
bool is_bare_statistic(const char *name);

/* Whether the cells of this key column are numbers, pcb-csv(5). */
bool is_numeric_key(const char *name);

/* Whether the cells are texts even if they look like numbers. */
bool is_text_key(const char *name);

/*
 * The unit in the name of a value column: a pointer to "ns", "gbit_s", "per_s",
 * "pct" or "value" at its end, or to the empty string there. "value" counts as
 * a unit; another column names the measure.
 */
const char *unit_of(const char *name);

#endif
