/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results as metrics, for node_exporter's textfile directory. */
#ifndef PCB_COMMON_STREAM_OPENMETRICS_H
#define PCB_COMMON_STREAM_OPENMETRICS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Prints rows * ncols cells, row by row, to stdout: a gauge pcb_NAME for each
 * value column, with the row's key columns as labels, and "# EOF" at the end.
 * Leaves out empty cells and values that are no numbers.
 */
void openmetrics_print(char *const name[], size_t ncols, char *const cell[],
                       uintmax_t rows);

/* Writes the value of a label, quoted and escaped. */
void openmetrics_label(FILE *to, const char *text);

#endif
