/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Statistics and flags of a link. */
#ifndef PCB_DIFF_LINK_STATS_H
#define PCB_DIFF_LINK_STATS_H

#include "diff/links.h"
#include "diff/rank_test.h"

/* Flags of the column `flags`, pcb-diff(1); masks combine them. */
enum link_flag {
	LINK_ENDPOINT = 1,        /* nothing below it was measured */
	LINK_NEGATIVE = 2,        /* it answered before the bridge above */
	LINK_NOT_SIGNIFICANT = 4, /* the latency may be 0 */
	LINK_BELOW_WIRE_TIME = 8, /* shorter than its bits on the wire */
	LINK_FLOOR = 16,          /* min, p1 or mode disagree */
	LINK_UNTESTED = 32,       /* fit to two widths only */
	LINK_RESIDUAL = 64,       /* far from the fit */
	LINK_IMPOSSIBLE = 128,    /* a fitted time is negative */
};

/* Latencies agree if they differ by at most this part. */
#define LATENCY_TOLERANCE 0.1

/* In ns, except efficiency and clocks; NAN if unknown. */
struct link_stats {
	double above, below; /* medians of the runs */
	double latency;      /* median of the differences */
	struct interval limits;
	double floor[NFLOORS]; /* latency by other statistics */
	double serialization;  /* of a DWORD read, see serialize_dword */
	double efficiency_pct; /* serialization / latency */
	double clocks;         /* latency in clocks of a parallel bus */
	/*
	 * Expected latency with split completions, from reads of the same
	 * target with immediate completions: 2 T_imm - 2 T_cycle. Miller et
	 * al., 3.1.
	 */
	double split;
	unsigned flags;
	size_t runs;
};

/*
 * For an edge that is a link. Assumes 32-bit addresses, as in configuration
 * reads. Serialization is NAN for split completions on a parallel bus and for
 * configuration reads of PCI-X, which hold the address longer.
 */
struct link_stats link_stats_of(const struct links *l, const struct edge *e);

/* The link of an edge; BUS_UNKNOWN if no input has it. */
struct link edge_link(const struct links *l, const struct edge *e);

/* The flags as words, separated by blanks. */
#define FLAGS_TEXT_MAX 80
void flags_format(unsigned flags, char text[FLAGS_TEXT_MAX]);

#endif
