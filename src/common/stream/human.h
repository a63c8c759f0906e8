/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cells and names of csv as people write them: 52.80 ms, 16M, 59.52 M/s. */
#ifndef PCB_COMMON_STREAM_HUMAN_H
#define PCB_COMMON_STREAM_HUMAN_H

#include <stdbool.h>

/*
 * The text of a cell in the column `name`, to be freed: measures with a unit in
 * four digits and their unit, Gbit/s as GB/s with `bytes`; sizes of
 * identity as 4K and 16M where that is exact; other measures in four digits, if
 * they are not whole. Texts that are no numbers, and other identity, as they
 * are.
 */
char *human_text(const char *name, const char *text, bool bytes);

/*
 * The name without the unit that human_text puts into the cells, to be freed;
 * a copy of the name if there is none.
 */
char *human_name(const char *name);

#endif
