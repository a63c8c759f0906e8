/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the options given mean to the backend that was chosen. */
#ifndef PCB_COLLECT_CLI_BACKEND_OPTIONS_H
#define PCB_COLLECT_CLI_BACKEND_OPTIONS_H

#include "collect/cli/options.h"

/*
 * For -O help, and for a device BACKEND:help: shows the options of the backend
 * that -d names, else of those that know the bench, else of all; or the
 * profiles of the backend; and exits 0. No device is looked for. `bench` is the
 * operand, or NULL.
 */
void show_backend_help(const struct command *command, const char *bench);

/*
 * Ends with a usage error if an -O names no option of the backend, or if it is
 * a replay, which ignores another option.
 */
void check_backend_options(const struct command *command);

/* The same for a list, which asks all backends: an -O may be any one's. */
void check_list_options(const struct request *request);

/*
 * After that: count, warm-up, size and window where they were not given, and
 * columns for those of the options that tell rows apart.
 */
void add_defaults(struct command *command);

#endif
