/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of pcb-model. */
#ifndef PCB_MODEL_OPTIONS_H
#define PCB_MODEL_OPTIONS_H

#include "model/commands.h"
#include "model/inflight.h"
#include "model/link_config.h"
#include "model/nic.h"
#include "model/serial_latency.h"
#include "model/transfer_rows.h"

#include <limits.h>

/* What getopt_long gives; the link's parts are OPT_PART + enum part. */
enum {
	OPT_OFFSET = CHAR_MAX + 1,
	OPT_LINK,
	OPT_DEVICE,
	OPT_DUMP,
	OPT_COMPLETER,
	OPT_ACCOUNTING,
	OPT_SKP,
	OPT_INFLIGHT, /* and the rest of struct bounds, in its order */
	OPT_RTT,
	OPT_PH,
	OPT_PD,
	OPT_LOOP,
	OPT_RATE,
	OPT_FRAME,
	OPT_DIRECTION,
	OPT_VLAN,
	OPT_IFG,
	OPT_EXPLAIN,
	OPT_PROC, /* and the rest of struct delays, in its order */
	OPT_SERDES,
	OPT_FLIGHT,
	OPT_JOIN,
	OPT_CHECK,
	OPT_PART,
};

/* Zero-initialise, parse_options; release with free_options. */
struct options {
	const struct command *command;
	bool seen[OPT_PART + NPARTS];
	struct sweep sweep;
	struct slot_options slot;
	struct inflight_options inflight;
	struct nic_options nic;
	struct delays delays;
	bool explain;
	bool check;
	bool check_above;
	struct fraction tolerance, above; /* of --check */
	enum format format;
	bool no_preamble;
	char **files; /* behind the command */
	size_t nfiles;
};

/*
 * Reads the command line and the link that it names; answers --help and
 * --version. Ends the program where it is wrong, see slot_resolve.
 */
void parse_options(struct options *o, int argc, char *argv[]);
void free_options(struct options *o);

#endif
