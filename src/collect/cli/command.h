/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a command line of pcb-collect asks for, and of which backend. */
#ifndef PCB_COLLECT_CLI_COMMAND_H
#define PCB_COLLECT_CLI_COMMAND_H

#include "collect/run/collection.h"
#include "common/cli/option_table.h"

struct command {
	bool list;          /* `pcb-collect list` */
	bool restore;       /* `pcb-collect restore` */
	bool dry_run;       /* --dry-run */
	bool find;          /* --find */
	enum format format; /* FORMAT_DEFAULT: not given */
	const char *output; /* of -o, or NULL */
	const char *device; /* of -d, or NULL */
	struct collection collection;
	struct option_parser parser; /* knows which options were given */
	char **own_label;            /* labels that options add */
	size_t nown_labels;
};

/*
 * options.c: parses argv into a command and sets defaults; texts point into
 * argv. There is one command, which the next call overwrites. --help, --version
 * and -O help exit with 0; errors are usage errors. Accesses no device.
 */
struct command *parse_options(int argc, char *argv[]);
void free_options(struct command *command);

/*
 * Once the backend is chosen: sets its defaults of count, warm-up, size and
 * window unless given, and the key columns of options. Exits with a usage error
 * if an -O names no option of the backend, or if the backend would ignore
 * another option.
 */
void settle_options(void);

/* For a list, where -O may belong to any backend: exits if it names none. */
void check_list_options(void);

/*
 * devices.c: sets the backend and request.device from the value of -d:
 * BACKEND[:WHICH]; a function, or for BENCH_PIO a list of them, in any form of
 * pci_match(); or a backend's name of a device. NULL (not given) chooses the
 * first backend with a device for automatic choice, "hw" the first one that
 * does not simulate. Any other text is a usage error. Returns STATUS_OK, or
 * STATUS_ABSENT after a message.
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
