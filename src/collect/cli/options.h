/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of pcb-collect. */
#ifndef PCB_COLLECT_CLI_OPTIONS_H
#define PCB_COLLECT_CLI_OPTIONS_H

#include "collect/run/collection.h"
#include "common/stream/writer.h"

struct command {
	bool list;          /* `pcb-collect list` */
	enum format format; /* of the list */
	bool format_given;
	const char *run_option; /* the last given that a list cannot take */
	const char *device;     /* of -d, or NULL */
	struct collection collection;
};

/*
 * Reads argv into a zero-initialised command, defaults included; the texts
 * stay those of argv. Help and version print and exit 0; anything wrong is a
 * usage error. Does not look at backends or devices.
 */
void parse_options(struct command *command, int argc, char *argv[]);
void free_options(struct command *command);

/*
 * Adds a label that an option stands for: a text "NAME=VALUE" to own, which is
 * freed with the options.
 */
void add_own_label(struct collection *c, char *text);

#endif
