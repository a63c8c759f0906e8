/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text in lines that fit. */
#ifndef PCB_COMMON_CLI_WRAP_H
#define PCB_COMMON_CLI_WRAP_H

#include <stddef.h>

/*
 * Prints a text to stdout, and ends its line. The cursor is at the column
 * `begin`; lines begin there and end before the column `end`, unless a word is
 * longer. 0 as `end` means that any length fits.
 */
void print_wrapped(size_t begin, size_t end, const char *text);

#endif
