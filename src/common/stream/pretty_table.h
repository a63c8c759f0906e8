/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results as people read them: aligned, constant columns said once. */
#ifndef PCB_COMMON_STREAM_PRETTY_TABLE_H
#define PCB_COMMON_STREAM_PRETTY_TABLE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Prints rows * ncols cells (row by row) to stdout. Identity columns that are
 * the same in all rows stand above the table; columns empty throughout are
 * left out. Control characters and invalid UTF-8 show as '?'.
 */
void print_table(char *const name[], size_t ncols, char *const cell[],
                 uintmax_t rows);

/* Room for what round_for_table writes, NUL included. */
#define ROUNDED_MAX 24

/* A computed number with the digits a person wants: 3 decimals at most. */
void round_for_table(char to[ROUNDED_MAX], double value);

#endif
