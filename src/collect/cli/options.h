/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of pcb-collect. */
#ifndef PCB_COLLECT_CLI_OPTIONS_H
#define PCB_COLLECT_CLI_OPTIONS_H

#include "collect/run/collection.h"
#include "common/cli/option_table.h"
#include "common/stream/writer.h"

struct command {
	bool list;          /* `pcb-collect list` */
	bool restore;       /* `pcb-collect restore` */
	bool dry_run;       /* --dry-run */
	bool find;          /* FORMAT_DEFAULT: not given */
	enum format format; /* FORMAT_DEFAULT: not given */
	bool bytes;         /* in a table: GB/s */
	const char *output; /* of -o, or NULL */
	const char *device; /* of -d, or NULL */
	struct collection collection;
	struct option_parser parser; /* knows which options were given */
	char **own_label;            /* labels that options add */
	size_t nown_labels;
};

struct command;

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

/* Adds the label of an option: a text "NAME=VALUE", which it owns. */
void add_own_label(struct command *command, char *text);

#endif
