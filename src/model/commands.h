/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What pcb-model can be asked for, a row for each. */
#ifndef PCB_MODEL_COMMANDS_H
#define PCB_MODEL_COMMANDS_H

#include "common/stream/writer.h"

struct options;

struct command {
	const char *name;
	/* Those that not every command takes, as getopt_long gives them. */
	int option[16];
	bool operands; /* files may follow the name */
	bool no_link;  /* and with no link, none of its options */
	bool any_bus;  /* also parallel ones, which have no model */

	/*
	 * One of these. `write` writes the model's own rows, header included;
	 * begin and end of the stream are seen to. `run` sees to all of it
	 * and returns an exit status.
	 */
	void (*write)(struct out *o, const struct options *options);
	int (*run)(struct out *o, const struct options *options);
};

/* The command that the first operand names, or NULL. */
const struct command *find_command(const char *name);

/* That of --join. */
extern const struct command join_command;

/*
 * A stream of the model's own: what `write` writes, between preamble and end
 * line.
 */
void write_own(struct out *o, const struct options *options,
               void (*write)(struct out *o, const struct options *options));

/* Does what the options say; the exit status of the program. */
int run_command(struct out *o, const struct options *options);

#endif
