/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Applies options to the chosen backend. */
#ifndef PCB_COLLECT_CLI_BACKEND_OPTIONS_H
#define PCB_COLLECT_CLI_BACKEND_OPTIONS_H

#include "collect/cli/command.h"

/*
 * For -O help and for a device BACKEND:help: prints the options of the backend
 * that -d names, else of those that support the bench, else of all; or the
 * profiles of the backend. Exits with 0 and accesses no device. `bench` is the
 * operand, or NULL.
 */
void show_backend_help(const struct command *command, const char *bench);

/*
 * Exits with a usage error if an -O names no option of the backend, or if the
 * backend would ignore another option.
 */
void check_backend_options(const struct command *command);

/* The same for a list: an -O may belong to any backend. */
void check_list_options(const struct request *request);

/*
 * After that: sets count, warm-up, size and window unless given, and the key
 * columns of options.
 */
void add_defaults(struct command *command);

#endif
