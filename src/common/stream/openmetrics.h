/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results as metrics, for node_exporter's textfile directory. */
#ifndef PCB_COMMON_STREAM_OPENMETRICS_H
#define PCB_COMMON_STREAM_OPENMETRICS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Prints rows * ncols cells (row by row) to stdout: each measure is a gauge
 * pcb_NAME, with what identifies the row as its labels; empty cells are left
 * out, and so is a measure that is no number. The line "# EOF" ends it.
 */
void openmetrics_print(char *const name[], size_t ncols, char *const cell[],
                       uintmax_t rows);

/* Writes a label's value, quoted and escaped. */
void openmetrics_label(FILE *to, const char *text);

#endif
