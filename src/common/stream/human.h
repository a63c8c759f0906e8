/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cells and names of CSV for people: 52.80 ms, 16M, 59.52 M/s. */
#ifndef PCB_COMMON_STREAM_HUMAN_H
#define PCB_COMMON_STREAM_HUMAN_H

#include <stdbool.h>

/*
 * The text of a cell of column `name`: value columns with four digits and their
 * unit (with `bytes`, GB/s instead of Gbit/s); sizes in key columns as 4K and
 * 16M if that is exact; values without a unit with four digits unless whole.
 * Other key columns, and texts that are no numbers, stay unchanged. Free it.
 */
char *human_text(const char *name, const char *text, bool bytes);

/*
 * The name without the unit that human_text writes into the cells; a copy of
 * the name if there is none. Free it.
 */
char *human_name(const char *name);

#endif
