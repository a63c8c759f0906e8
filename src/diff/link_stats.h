/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The numbers of a link, and what is odd about them. */
#ifndef PCB_DIFF_LINK_STATS_H
#define PCB_DIFF_LINK_STATS_H

#include "diff/links.h"
#include "diff/rank_test.h"

/* Words of the column `flags`, pcb-diff(1); masks of them are joined by |. */
enum link_flag {
	LINK_ENDPOINT = 1, /* an end point: nothing was measured below it */
	LINK_NEGATIVE = 2, /* it answered before the bridge above it */
	LINK_NOT_SIGNIFICANT = 4, /* the latency may as well be 0 */
	LINK_BELOW_WIRE_TIME =
	    8,              /* the bits alone would take longer on the wire */
	LINK_FLOOR = 16,    /* min, p1 and mode say something else */
	LINK_UNTESTED = 32, /* a fit to two widths */
	LINK_RESIDUAL = 64, /* far from what was fitted */
	LINK_IMPOSSIBLE = 128, /* a fitted time below 0 */
};

/* Numbers for a latency agree if they differ by no more than this part. */
#define LATENCY_TOLERANCE 0.1

/* In ns, except efficiency and clocks; NAN if unknown. */
struct link_stats {
	double above, below; /* medians over the runs */
	double latency;      /* median of the differences */
	struct interval limits;
	double floor[NFLOORS]; /* the latency by other statistics */
	double serialization;  /* of a DWORD read, see serialize_dword */
	double efficiency_pct; /* serialization by latency */
	double clocks;         /* the latency in those of a parallel bus */
	/*
	 * What reads of the same target with immediate completions let expect
	 * of one with split completions: 2 T_imm - 2 T_cycle. Miller et
	 * al., 3.1.
	 */
	double split;
	unsigned flags;
	size_t runs;
};

/*
 * Of an edge that is a link. 32-bit addresses are assumed, as for configuration
 * reads; there is no serialization where a parallel bus has split completions
 * or configuration reads of PCI-X, which hold the address for longer.
 */
struct link_stats link_stats_of(const struct links *l, const struct edge *e);

/* The link of an edge; BUS_UNKNOWN if nothing says it. */
struct link edge_link(const struct links *l, const struct edge *e);

/* The words, with blanks between. */
#define FLAGS_TEXT_MAX 80
void flags_format(unsigned flags, char text[FLAGS_TEXT_MAX]);

#endif
