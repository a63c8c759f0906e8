/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a command line of pcb-collect asks for. */
#ifndef PCB_COLLECT_CLI_COMMAND_H
#define PCB_COLLECT_CLI_COMMAND_H

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

#endif
