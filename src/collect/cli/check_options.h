/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options that are right by themselves, but not with one another. */
#ifndef PCB_COLLECT_CLI_CHECK_OPTIONS_H
#define PCB_COLLECT_CLI_CHECK_OPTIONS_H

#include "collect/cli/options.h"

/*
 * An option that would be ignored is a misunderstanding: ends the program as a
 * usage error, which names it.
 */
void options_check_meaning(const struct command *command);

#endif
