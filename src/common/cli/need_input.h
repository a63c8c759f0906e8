/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Refuses to wait for input from a terminal. */
#ifndef PCB_COMMON_CLI_NEED_INPUT_H
#define PCB_COMMON_CLI_NEED_INPUT_H

#include <stddef.h>

/*
 * Ends a filter that has no operands and whose stdin is a terminal: prints the
 * first line of `usage`, which starts with "Usage:", and how to give it input;
 * status as for a usage error.
 */
void need_input(const char *usage, size_t noperands);

#endif
