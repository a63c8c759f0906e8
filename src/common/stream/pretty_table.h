/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results for people: aligned, scaled, constant columns above the table. */
#ifndef PCB_COMMON_STREAM_PRETTY_TABLE_H
#define PCB_COMMON_STREAM_PRETTY_TABLE_H

#include "common/stream/result.h"

/*
 * The text of a cell of column `name`: value columns with four digits and their
 * unit (bandwidths in that of rate_unit); sizes in key columns as 4K and 16M if
 * that is exact; values without a unit with four digits unless whole. Other key
 * columns, and texts that are no numbers, stay unchanged. Free it.
 */
char *human_text(const char *name, const char *text);

/*
 * Prints the cells of a result as a table, for the terminal; it has rows. Key
 * columns with one value for all rows go above the table; empty columns are
 * left out. Times, rates, percentages and sizes are scaled, see human_text.
 * Wide texts are wrapped to the terminal, and columns that still do not fit
 * follow below. Control characters and invalid UTF-8 become '?'.
 */
void print_table(const struct out *o);

#endif
