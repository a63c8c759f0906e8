/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns that a table has: found, listed, missed. */
#ifndef PCB_COMMON_STREAM_COLUMNS_H
#define PCB_COMMON_STREAM_COLUMNS_H

#include "common/stream/table.h"

/*
 * The columns of the table that `pick` says yes to (NULL: all), with ", "
 * between. *n, where not NULL, is how many there are. Free the text.
 */
char *list_columns(const struct table *t, bool (*pick)(const char *),
                   size_t *n);

/*
 * Ends the program (2) since no part read so far has this column: says which
 * there are, and which program writes it, if one of a pipe may be missing.
 */
_Noreturn void no_column(const struct table *t, const char *name);

/* The number of the column called `name`; or as no_column. */
size_t need_column(const struct table *t, const char *name);

/*
 * Ends the program as no_column unless there is a column of this name, which
 * the user has typed: the message has the nearest one.
 */
void need_given_column(const struct table *t, const char *name);

/*
 * What stands in that column of the current row: dies as need_column, or gives
 * "" where the column need not be there.
 */
const char *need_text(const struct table *t, const char *name);
const char *optional_text(const struct table *t, const char *name);

/* Traces that the current row was skipped: it lacks `what`. */
void trace_skipped(const struct table *t, const char *what);

/* Warns that n rows, if not 0, were skipped because they lacked `what`. */
void warn_skipped(uintmax_t rows, const char *what);

#endif
