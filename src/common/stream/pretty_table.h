/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results as people read them: aligned, scaled, constant columns said once. */
#ifndef PCB_COMMON_STREAM_PRETTY_TABLE_H
#define PCB_COMMON_STREAM_PRETTY_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A table to print; the names and cells are those of csv. */
struct pretty_table {
	char *const *name;
	size_t ncols;
	char *const *cell; /* row by row */
	uintmax_t rows;
	size_t width;  /* columns of the terminal, or 0: any */
	bool colour;   /* escape sequences are understood */
	bool markdown; /* with | between, instead of blanks */
	bool bytes;    /* bandwidths in bytes, not bits */
};

/*
 * Prints the table to stdout. Identity columns that are the same in all rows
 * stand above it; columns empty throughout are left out. Times, rates, percent
 * and sizes are scaled, see human_text. What is wider than the terminal is
 * wrapped, and columns that still have no room follow below. Control characters
 * and invalid UTF-8 show as '?'.
 */
void print_table(const struct pretty_table *t);

#endif
