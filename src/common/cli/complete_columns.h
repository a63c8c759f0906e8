/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Completes column names. */
#ifndef PCB_COMMON_CLI_COMPLETE_COLUMNS_H
#define PCB_COMMON_CLI_COMPLETE_COLUMNS_H

#include <stddef.h>

/*
 * Prints the columns of the first file among the words of a command line, one
 * per line; prints nothing if no word is a file. Dies if the file is no stream.
 * For `complete` of struct option_def.
 */
void complete_columns(size_t n, char *const word[]);

#endif
