/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of pcb-model. */
#ifndef PCB_MODEL_OPTIONS_H
#define PCB_MODEL_OPTIONS_H

#include "common/cli/option_table.h"
#include "common/link/ethernet.h"
#include "common/stream/writer.h"
#include "model/latency_row.h"
#include "model/link_config.h"
#include "model/packet_profile.h"
#include "model/serial_latency.h"
#include "model/transfer_rows.h"

/* Commands. */
enum model_mode {
	MODEL_BW_RD,
	MODEL_BW_WR,
	MODEL_BW_RDWR,
	MODEL_LINK,
	MODEL_NIC,
	MODEL_INFLIGHT,
	MODEL_SERIAL,
	MODEL_WHY,
	MODEL_LAT,
	MODEL_JOIN,
	NMODEL_MODES,
};

/* For `nic`; the frames also for `inflight`. */
struct nic_options {
	const char **name; /* -M */
	size_t n;
	enum direction direction;
	struct ethernet ethernet; /* VLAN tag and gap */
	uint64_t rate;            /* of the Ethernet, bit/s; 0: not given */
	struct size_list frame;
};

struct options {
	enum model_mode mode;
	struct option_parser parser; /* knows which options were given */
	struct transfer_sweep sweep;
	struct link_options link;
	struct nic_options nic;
	struct delays delays;
	struct latency_options latency;
	bool explain;
	bool join;
	bool check_above;
	struct fraction tolerance; /* of --check and why; den 0: none */
	struct fraction above;     /* of --check */
	const char *bench;         /* of why and lat; NULL: not given */
	double before_gbit_s;      /* of why; 0: not given */
	enum format format;
	bool no_preamble;
	bool bytes;
	char **files; /* operands behind the command */
	size_t nfiles;
};

/*
 * Parses the command line and resolves its link; answers --help, --version and
 * -M help. Ends the program if it is wrong, see link_options_resolve. Valid
 * until options_free.
 */
const struct options *parse_options(int argc, char *argv[]);
void options_free(void);

#endif
