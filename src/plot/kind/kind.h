/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kinds of picture. A kind is one file and its line in kinds.c. */
#ifndef PCB_PLOT_KIND_KIND_H
#define PCB_PLOT_KIND_KIND_H

#include "common/stream/table.h"
#include "plot/picture/picture.h"

struct kind {
	const char *name;
	const char *help; /* one line: what it shows */

	/*
	 * Reads the table to its end and fills the picture, whose width and
	 * height are set. Dies if the input is bad or a column is missing.
	 */
	void (*draw)(struct picture *p, struct table *t);
};

/* In the order of --help. */
enum {
	KIND_CDF,
	KIND_CCDF,
	KIND_PCT,
	KIND_HIST,
	KIND_BOX,
	KIND_COMPARE,
	KIND_SCATTER,
	KIND_LAT,
	KIND_BW,
	KIND_WINDOW,
	KIND_HEAT,
	KIND_DIFF,
	KIND_TREE,
	KIND_NIC,
	KIND_FLEET,
	KIND_DDIO,
	NKINDS,
};

extern const struct kind *const kinds[NKINDS];

extern const struct kind kind_cdf, kind_ccdf, kind_pct, kind_hist, kind_box,
    kind_compare, kind_scatter, kind_lat, kind_bw, kind_window, kind_heat,
    kind_diff, kind_tree, kind_nic, kind_fleet, kind_ddio;

#endif
