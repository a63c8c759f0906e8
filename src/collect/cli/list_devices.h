/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Implements `pcb-collect list`. */
#ifndef PCB_COLLECT_CLI_LIST_DEVICES_H
#define PCB_COLLECT_CLI_LIST_DEVICES_H

#include "collect/cli/options.h"

/*
 * Writes the devices that all backends find, or only those that -d names; dies
 * if no backend has an -O. Returns the exit status, after a message.
 */
int list_findings(const struct command *command);

#endif
