/* The command line of pcb-model. */
#ifndef PCB_MODEL_OPTIONS_H
#define PCB_MODEL_OPTIONS_H

#include "model/rows.h"
#include "model/slot.h"

/* Zero-initialise, parse_options; release with free_options. */
struct options {
	const struct work *work; /* NULL: the link itself */
	struct sweep sweep;
	struct slot_options slot;
	bool join;
	bool check;
	struct fraction tolerance; /* of --check */
	enum format format;
	bool no_preamble;
	char **files; /* of --join */
	size_t nfiles;
};

/*
 * Reads the command line and the link that it names; answers --help and
 * --version. Ends the program where it is wrong, see slot_resolve.
 */
void parse_options(struct options *o, int argc, char *argv[]);
void free_options(struct options *o);

#endif
