/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `pcb-collect list` shows. */
#ifndef PCB_COLLECT_CLI_LIST_DEVICES_H
#define PCB_COLLECT_CLI_LIST_DEVICES_H

#include "collect/cli/options.h"

/*
 * Writes what every backend finds, or of it only what -d names; dies of a
 * setting that none has. Returns the exit status, after a message.
 */
int list_findings(const struct command *command);

#endif
