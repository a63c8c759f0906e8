/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses the backend for a value of -d, and lists devices. */
#ifndef PCB_COLLECT_CLI_DEVICES_H
#define PCB_COLLECT_CLI_DEVICES_H

#include "collect/cli/command.h"

/* Appends the devices that the backend finds; free with findings_free. */
void probe(const struct backend *backend, const struct request *request,
           struct findings *found);

/*
 * Sets the backend and request.device from the value of -d: BACKEND[:WHICH]; a
 * function, or for BENCH_PIO a list of them, in any form of pci_match(); or a
 * backend's name of a device. NULL (not given) chooses the first backend with a
 * device for automatic choice, "hw" the first one that does not simulate. Any
 * other text is a usage error. Returns STATUS_OK, or STATUS_ABSENT after a
 * message.
 */
int choose_backend(struct collection *c, const char *device);

/*
 * The backend of a value of -d, BACKEND or BACKEND:WHICH; NULL if it names none
 * or is NULL.
 */
const struct backend *named_backend(const char *device);

/*
 * Writes the devices that all backends find, or only those that -d names.
 * Returns the exit status, after a message.
 */
int list_findings(const struct command *command);

#endif
