/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The bandwidth that the specification allows for a transfer. */
#ifndef PCB_COMMON_LINK_MODEL_H
#define PCB_COMMON_LINK_MODEL_H

#include "common/base/number.h"
#include "common/link/tlp.h"

/* What is subtracted for the link's own traffic. */
enum accounting {
	/* An upper bound: Ack and UpdateFC only where TLPs require them. */
	ACCOUNTING_TRAFFIC,
	/*
	 * The published model of pcie-bench (Neugebauer et al., SIGCOMM 2018,
	 * section 3): it subtracts shares of Ack, UpdateFC and SKP from both
	 * directions for any traffic. Real links exceed it by some per cent.
	 */
	ACCOUNTING_PCIE_BENCH,
};

/* Their names in the column `accounting` and on a command line. */
extern const char *const accounting_names[2];

/* Bytes of a DLLP with framing. */
#define DLLP_BYTES 8u

/* Longest transfer and largest offset that the model accepts. */
#define MODEL_BYTES_MAX (UINT64_C(1) << 40)

/* Limits besides the link; 0: no limit. */
struct bounds {
	/* Outstanding reads, and the round trip of each. */
	uint64_t inflight, rtt_ps;
	/* Credits for posted headers and data, and their return time. */
	uint64_t ph, pd, loop_ps;
	/* Cache lines that the host has under way, and the time of each. */
	uint64_t host_lines, host_ps;
};

struct path;

/* A link, the completer of its other end, and how both are counted. */
struct link_config {
	struct link link;
	struct link back; /* settings of the other end; BUS_UNKNOWN: the same */
	const struct path *path; /* to the device, or NULL */
	enum completer completer;
	enum accounting accounting;
	struct fraction skp; /* share of SKP; den 0: from the accounting */
	struct bounds bounds;
	unsigned forward; /* most payload of a write, below MPS; 0: MPS */
};

/* A bench of pcb-collect, as the model computes it. */
struct work {
	const char *name;
	bool reads, writes; /* both: one of each, in turn */
	bool by_host;       /* a CPU starts the transfers, not the device */
};

/* The bench called `name`, or NULL. */
const struct work *find_work(const char *name);

/* NULL, or why this link has no model (a constant). */
const char *why_no_model(const struct link *link);

/* The share of the raw rate that SKP ordered sets take, 0 to 1. */
double skp_share(const struct link_config *config);

/*
 * The rate, in each direction, that is left for TLPs with headers and framing:
 * raw x (1 - 8/Ack - 8/FC - SKP) in the accounting pcie-bench; raw x (1 - SKP)
 * in traffic, where saturate subtracts Ack and UpdateFC; raw x 236/256 x (1 -
 * SKP) in flit mode. The link must have a model.
 */
double tlp_gbit_s(const struct link_config *config);

/*
 * How transfers become TLPs on this link, by `completer` and `accounting`.
 * link_config_rules is for those that the device starts; in those of the host,
 * requests follow the other end's settings and completions the device's.
 */
struct tlp_rules link_config_rules(const struct link_config *config);
struct tlp_rules link_config_host_rules(const struct link_config *config);

/* The pace of something that a link repeats as fast as it can. */
struct pace {
	double per_ns; /* repetitions per nanosecond */
	/*
	 * "tx_bytes" or "rx_bytes": the fuller; "inflight", "credits" or
	 * "host_lines"
	 */
	const char *limited_by;
};

/*
 * How often the packets of `sum`, counted by these rules, can cross the link:
 * the direction with more bytes limits it, or a lower bound of config->bounds.
 * The link must have a model.
 */
struct pace saturate(const struct link_config *config,
                     const struct tlp_sum *sum);

/*
 * Transfers of `size` bytes. Without a window all start at address `offset`;
 * with one, at that offset in each of its units, one after the other. A unit is
 * offset and size, rounded up to whole cache lines; the first one starts a
 * page, and an incomplete one at the end of the window is not used.
 */
struct transfer {
	uint64_t size, offset;
	uint64_t window; /* 0: none */
};

/* NULL, or why the model refuses the size, offset or window (a constant). */
const char *model_check_size(uint64_t size);
const char *model_check_offset(uint64_t offset);
const char *model_check_window(const struct transfer *t);

/* Bytes per direction. */
struct wire {
	double sent, received;
};

/* A saturated link; bandwidth counts payload in each direction used. */
struct expected {
	/* Packets and wire bytes per transfer, averaged over the window. */
	double mrd, mwr, cpld, tx_bytes, rx_bytes;
	struct wire wire; /* including DLLPs of the accounting */
	double per_ns;    /* transfers per ns; both: pairs */
	double gbit_s;
	const char *limited_by;
};

/*
 * Transfers back to back. The link must have a model; size, offset and window
 * must have passed their checks.
 */
struct expected expect(const struct link_config *config,
                       const struct work *work, const struct transfer *t);

#endif
