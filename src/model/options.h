/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of pcb-model, and its commands. */
#ifndef PCB_MODEL_OPTIONS_H
#define PCB_MODEL_OPTIONS_H

#include "common/cause/reference.h"
#include "common/cell/cells.h"
#include "common/cli/option_table.h"
#include "common/link/ethernet.h"
#include "common/sim/params.h"
#include "common/stream/writer.h"
#include "model/link_config.h"
#include "model/packet_profile.h"

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
	MODEL_REFERENCE,
	MODEL_FLOOR,
	MODEL_LAT,
	MODEL_TREE,
	MODEL_FLOWS,
	MODEL_JOIN,
	NMODEL_MODES,
};

/* Transfers: every size with every offset and window (0: none). */
struct transfer_sweep {
	struct size_list size, offset, window;
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

/* For `lat`, and --join of latencies. */
struct latency_options {
	struct sim_choice choice;
	unsigned caches;     /* bit i: state i; 0: cold */
	unsigned nodes;      /* bit 0: local, 1: remote; 0: not given */
	unsigned sequential; /* 0: random */
	uint64_t switch_ps;  /* of all that were given */
	struct size_list outstanding;
};

/* For `tree` and `flows`, and --join of matrices. */
struct texts {
	const char **text;
	size_t n;
};
struct flow_options {
	const char *topology, *set, *calibrate; /* files, or NULL */
	const char *each;                       /* NAME or "NAME>", or NULL */
	bool all_pairs;
	uint64_t forward; /* payload; 0: not given */
	struct texts cap, move;
	char **devices; /* of -d, or NULL */
};
/* What --memory says. */
enum memory { MEMORY_PINNED, MEMORY_PAGEABLE, MEMORY_REMOTE, MEMORY_PEER };

struct options {
	enum model_mode mode;
	struct option_parser parser; /* knows which options were given */
	struct transfer_sweep sweep;
	struct link_options link;
	struct nic_options nic;
	struct latency_options latency;
	struct flow_options flows;
	bool explain;
	bool join;
	struct fraction tolerance; /* of --check; den 0: none */
	struct fraction above;     /* of --check; den 0: none */
	const char *bench;         /* of why and lat; NULL: not given */
	const char *before;        /* of why; NULL: not given */
	struct texts seen, also;   /* of why */
	bool sum;
	const char *without;    /* a group of cases.csv, or NULL */
	const char *vendor;     /* of the device; NULL: not given */
	unsigned whose, engine; /* --for, --engine: enum initiator, core */
	unsigned memory;        /* enum memory */
	bool all;
	const char *reference; /* name or file */
	unsigned line;         /* of floor: 0 reframe, 1 nhc */
	enum format format;
	bool no_preamble;
	char **files; /* operands behind the command */
	size_t nfiles;
};

/* Names: reads, reads after writes. */
extern const char *const latency_benches[2];

/*
 * Parses the command line and resolves its link; answers --help, --version and
 * -M help. Ends the program if it is wrong, see link_options_resolve.
 */
const struct options *parse_options(int argc, char *argv[]);

/* Parses "600kIOPS" or "12.5Mpps", each second; false: it is neither. */
bool parse_operations(const char *text, double *per_s);

/* The number of transfers, and the one at an index below it. */
size_t transfer_sweep_rows(const struct transfer_sweep *sweep);
struct transfer transfer_sweep_row(const struct transfer_sweep *sweep,
                                   size_t index);

/* Commands ---------------------------------------------------------------- */

/* Sets the preamble of what this program computes. */
void begin_stream(struct out *o);

/*
 * Writes preamble, rows by `write`, and end line. Each `write` writes header
 * and rows to `o`, which is set up.
 */
void write_stream(struct out *o, const struct options *options,
                  void (*write)(struct out *o, const struct options *options));

/* Bandwidths of the transfers; rates of the link. The link has a model. */
void write_bandwidths(struct out *o, const struct options *options);
void write_link(struct out *o, const struct options *options);

/*
 * The time of a DWORD read on the link that the options name, or on each link
 * of the device's path; otherwise for every generation and width that they
 * leave open, and, if they set none, for parallel buses.
 */
void write_serial(struct out *o, const struct options *options);

/*
 * The throughput of packets of each profile. Dies, before writing, if options
 * and profiles contradict each other.
 */
void write_nic(struct out *o, const struct options *options);

/*
 * What moves the data: by --for and --engine, else the class of the device,
 * else what is usual, or NINITIATORS: by the lanes; and which way, reads by
 * default.
 */
enum initiator reference_initiator(const struct options *o, unsigned lanes,
                                   enum initiator usual);
enum traffic reference_traffic(const struct options *o,
                               enum initiator initiator);

/* Quantiles of public results; with -a, these themselves. */
void write_reference(struct out *o, const struct options *options);

/* The bandwidth below which something is wrong. Ends the program, with
 * STATUS_ABSENT, if too few public results say so; and after --line. */
void write_floor(struct out *out, const struct options *o);

/* The links of the machine; transfers that share them. They may end the
 * program, if a device is missing. */
void write_tree(struct out *out, const struct options *o);
void write_flows(struct out *out, const struct options *o);

/*
 * The machine, with settings, moves, caps and calibration. Ends the program if
 * a part of it is not there. Free with machine_free.
 */
struct machine *flows_machine(const struct options *o);

/* How the options count its transfers. */
struct flow_rules flows_rules(const struct options *o);

/* The node of this name, or ends the program. */
size_t flows_node(const struct machine *m, const char *name);

/* The bound of an edge alone, NAN if it is no link that the model knows. */
double flows_bound(const struct machine *m, const struct options *o,
                   size_t edge, bool down);

/* Latencies; dies if a point of the sweep is impossible. */
void write_latencies(struct out *o, const struct options *options);

/*
 * Writes text and ends the program: the origin of each parameter of the link,
 * the steps from the raw rate to that of packets, and the packets of every
 * transfer. It computes nothing itself: the numbers are those of the rows.
 */
_Noreturn void explain(const struct options *options);

/*
 * Write a whole stream and return the exit status: the input's rows with more
 * columns; the DMAs that a NIC must have in flight, alone or behind the input's
 * rows; whether a bandwidth is normal, and causes, likeliest first. STATUS_NO
 * if --check fails or the bandwidth is low or impossible, STATUS_ABSENT if it
 * is borderline or nothing is known.
 */
int run_join(struct out *o, const struct options *options);

/* Whether rows to join name devices of a dump; see link_options_resolve. */
bool options_dump_by_row(const struct options *o);
int run_inflight(struct out *o, const struct options *options);
int run_why(struct out *o, const struct options *options);

/* The same of a latency; STATUS_NO if it is high. */
int why_latency(struct out *o, const struct options *options, double ns);

/* Whether `--seen help` asks for the observations, with or without a number. */
bool asks_what_may_be_seen(const struct options *o);

#endif
