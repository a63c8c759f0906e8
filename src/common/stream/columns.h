/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds and lists the columns of a table, and reports missing ones. */
#ifndef PCB_COMMON_STREAM_COLUMNS_H
#define PCB_COMMON_STREAM_COLUMNS_H

#include "common/stream/table.h"

/*
 * The columns that `pick` accepts (NULL: all), separated by ", "; *n, unless
 * NULL, becomes their number. Free the text.
 */
char *list_columns(const struct table *t, bool (*pick)(const char *),
                   size_t *n);

/*
 * Exits with status 2 because no part so far has this column. The message lists
 * the columns, and the program that writes it if the pipe may lack that.
 */
_Noreturn void no_column(const struct table *t, const char *name);

/* The index of the column called `name`; if none is, ends as no_column. */
size_t need_column(const struct table *t, const char *name);

/*
 * Ends as no_column if no column has this name, which the user typed; the
 * message suggests the nearest name.
 */
void need_given_column(const struct table *t, const char *name);

/*
 * The text of that column in the current row. If the column is missing,
 * need_text ends as no_column and optional_text returns "".
 */
const char *need_text(const struct table *t, const char *name);
const char *optional_text(const struct table *t, const char *name);

/* Traces that the current row is skipped because it lacks `what`. */
void trace_skipped(const struct table *t, const char *what);

/* Warns that n rows were skipped because they lack `what`; not if n is 0. */
void warn_skipped(uintmax_t rows, const char *what);

#endif
