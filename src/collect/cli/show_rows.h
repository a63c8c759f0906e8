/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sends samples to a pipe, a file, or a program that makes a table. */
#ifndef PCB_COLLECT_CLI_SHOW_ROWS_H
#define PCB_COLLECT_CLI_SHOW_ROWS_H

#include "collect/cli/options.h"

/*
 * Sends the rows of a collection where -o and -f say; by default, a terminal
 * gets a table by pcb-stats, or by pcb-ddio for counts. Call before the
 * measurement. Returns STATUS_OK, or the exit status after a message.
 */
int show_rows(const struct command *command);

#endif
