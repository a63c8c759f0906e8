/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of pcb-collect. */
#ifndef PCB_COLLECT_CLI_OPTIONS_H
#define PCB_COLLECT_CLI_OPTIONS_H

#include "collect/cli/command.h"

/* Called with the options and the first operand (or NULL), not parsed yet. */
typedef void command_hook(const struct command *command, const char *operand);

/*
 * Parses argv into a command and sets defaults; texts point into argv. There is
 * one command, which the next call overwrites. --help and --version exit with
 * 0, and so may `hook`, which may be NULL; errors are usage errors. Accesses no
 * device.
 */
struct command *parse_options(int argc, char *argv[], command_hook *hook);
void free_options(struct command *command);

#endif
