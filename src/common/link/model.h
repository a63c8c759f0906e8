/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the specification lets a transfer reach. */
#ifndef PCB_COMMON_LINK_MODEL_H
#define PCB_COMMON_LINK_MODEL_H

#include "common/base/number.h"
#include "common/link/tlp.h"

/* How much the link needs for itself. */
enum accounting {
	/* A bound: Ack and UpdateFC where there are TLPs to send them for. */
	ACCOUNTING_TRAFFIC,
	/*
	 * A yardstick, pcie-bench's (Neugebauer et al., SIGCOMM 2018, section
	 * 3), which takes shares of Ack, UpdateFC and SKP off both directions,
	 * whatever the traffic is. Links exceed it by some per cent.
	 */
	ACCOUNTING_PCIE_BENCH,
};

/*
 * The word for it, in the column `accounting` and on a command line. Parsing
 * one returns NULL, or why the text is none (a constant). "spec" was the name
 * of pcie-bench and is understood, with a warning.
 */
extern const char *const accounting_names[];
const char *parse_accounting(const char *text, enum accounting *accounting);

/* A DLLP, with framing. */
#define DLLP_BYTES 8u

/* Transfers longer or further from 0 than this are refused. */
#define MODEL_BYTES_MAX (UINT64_C(1) << 40)

/* What transactions may have to wait for besides the link; 0: they do not. */
struct bounds {
	/* Read requests at a time, each for the round trip to its data. */
	uint64_t inflight, rtt_ps;
	/* Credits for posted headers and data, until they are back. */
	uint64_t ph, pd, loop_ps;
};

struct path;

/* A link, what its other end does with reads, and how both are counted. */
struct link_config {
	struct link link;
	struct link back; /* as the other end is set; BUS_UNKNOWN: alike */
	const struct path *path; /* to the device; NULL without one */
	enum completer completer;
	enum accounting accounting;
	struct fraction skp; /* share of SKP; den 0: that of the accounting */
	struct bounds bounds;
};

/* A bench of pcb-collect that the model knows. */
struct work {
	const char *name;
	bool reads, writes; /* both: one of each, in turn */
	bool by_host;       /* a CPU starts them, and not the device */
};

/* The work of this name, or NULL. */
const struct work *find_work(const char *name);

/* NULL, or why this link has no model (a constant). */
const char *why_no_model(const struct link *link);

/* The part of the raw rate that SKP ordered sets take, 0 to 1. */
double skp_share(const struct link_config *config);

/*
 * What is left of the raw rate, in each direction, for TLPs with headers and
 * framing: raw x (1 - 8/Ack - 8/FC - SKP) in the accounting pcie-bench; in
 * traffic raw x (1 - SKP), of which saturate takes Ack and UpdateFC off; in
 * flit mode raw x 236/256 x (1 - SKP). The link must have a model.
 */
double tlp_gbit_s(const struct link_config *config);

/*
 * What transfers become on this link, as `completer` and `accounting` say:
 * those that the device starts, and those of the host, whose requests are as
 * the other end is set and whose completions are as the device is.
 */
struct tlp_rules link_config_rules(const struct link_config *config);
struct tlp_rules link_config_host_rules(const struct link_config *config);

/* Something that a link does over and over, as fast as it can. */
struct pace {
	double per_ns; /* times in a nanosecond */
	/* "tx_bytes", "rx_bytes": the fuller one; "inflight", "credits" */
	const char *limited_by;
};

/*
 * How often the packets of `sum`, counted by those rules, can cross the link:
 * the direction with more bytes to carry sets the pace, or a bound that is
 * reached before. The link must have a model.
 */
struct pace saturate(const struct link_config *config,
                     const struct tlp_sum *sum);

/*
 * Transfers of `size` bytes. They start at address `offset`; or with a window
 * at that offset in each of its units, one after the other. A unit is offset
 * and size, rounded up to whole cache lines; the first one begins with a page,
 * and what does not hold one more at the window's end is left out.
 */
struct transfer {
	uint64_t size, offset;
	uint64_t window; /* 0: none */
};

/* NULL, or why there is no transfer of this size or there (a constant). */
const char *model_check_size(uint64_t size);
const char *model_check_offset(uint64_t offset);
const char *model_check_window(const struct transfer *t);

/* Bytes in each direction. */
struct wire {
	double sent, received;
};

/* A saturated link; the bandwidth is of payload, in each direction used. */
struct expected {
	/* For one transfer, over a window on average; bytes on the wire. */
	double mrd, mwr, cpld, tx_bytes, rx_bytes;
	struct wire wire; /* with the DLLPs that the accounting adds */
	double per_ns;    /* transfers; both: pairs */
	double gbit_s;
	const char *limited_by;
};

/*
 * Transfers one after the other, without a pause. The link must have a model,
 * size, offset and window must have passed their checks.
 */
struct expected expect(const struct link_config *config,
                       const struct work *work, const struct transfer *t);

#endif
