/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Roles of columns: they follow from names, never from values. */
#ifndef PCB_COMMON_STREAM_COLUMN_ROLE_H
#define PCB_COMMON_STREAM_COLUMN_ROLE_H

#include <stdbool.h>

/* Whether a column can be called this; and the rule, for messages. */
#define NAME_RULE "a name is lower-case letters, digits and _"
bool is_name(const char *name);

/* Whether a row can be of this kind; and the kinds, for messages. */
#define KINDS "measured, virtual, simulated, published or imported"
bool is_kind(const char *kind);

/*
 * Whether a column of this name tells what a row is about (true) or holds a
 * measured or derived value (false). The rule is in pcb-csv(5), "Roles of
 * columns".
 */
bool is_identity(const char *name);

/*
 * Whether a column of this name is a statistic of a measure that has no unit:
 * min, mean, median, mode, max, stddev, p99 or p99_9.
 */
bool is_bare_statistic(const char *name);

/* Whether the cells of this identity column are numbers, pcb-csv(5). */
bool is_numeric_key(const char *name);

/* Whether they are never numbers, even where they look like some. */
bool is_text_key(const char *name);

/*
 * The unit in a measure's name: a pointer to "ns", "gbit_s", "per_s", "pct"
 * or "value" at its end, or to the empty string there. "value" is what another
 * column names, and a unit by itself.
 */
const char *unit_of(const char *name);

#endif
