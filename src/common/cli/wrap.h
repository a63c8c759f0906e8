/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Wraps text. */
#ifndef PCB_COMMON_CLI_WRAP_H
#define PCB_COMMON_CLI_WRAP_H

#include <stddef.h>

/*
 * Prints a text and a newline to stdout. The cursor is at column `begin`; lines
 * start there and end before column `end`, unless a word is longer. 0 as `end`:
 * no limit.
 */
void print_wrapped(size_t begin, size_t end, const char *text);

#endif
