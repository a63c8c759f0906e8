/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a filter does that is started by hand and has nothing to read. */
#ifndef PCB_COMMON_CLI_NEED_INPUT_H
#define PCB_COMMON_CLI_NEED_INPUT_H

#include <stddef.h>

/*
 * Ends the program as a usage error does where a filter without operands would
 * read from a terminal: shows the first line of `usage`, which begins with
 * "Usage:", and how to give it input.
 */
void need_input(const char *usage, size_t noperands);

#endif
