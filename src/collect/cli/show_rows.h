/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where samples go: to the reader of a pipe, a file, or a table for people. */
#ifndef PCB_COLLECT_CLI_SHOW_ROWS_H
#define PCB_COLLECT_CLI_SHOW_ROWS_H

#include "collect/cli/options.h"

/*
 * Has the rows of a collection go where -o and -f say; without them, a terminal
 * gets the table that pcb-stats, or pcb-ddio of counts, makes of them. To be
 * called before anything is measured. Returns STATUS_OK, or another status to
 * end with, after a message.
 */
int show_rows(const struct command *command);

#endif
