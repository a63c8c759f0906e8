/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Completes the names of columns. */
#ifndef PCB_COMMON_CLI_COMPLETE_COLUMNS_H
#define PCB_COMMON_CLI_COMPLETE_COLUMNS_H

#include <stddef.h>

/*
 * Prints the columns of the first file among the words of a command line, a
 * line each; nothing where there is no file. Dies of one that is no stream.
 * For `complete` of struct option_def.
 */
void complete_columns(size_t n, char *const word[]);

#endif
