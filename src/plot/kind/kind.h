/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kinds of picture. A kind is one file and its line in kinds.c. */
#ifndef PCB_PLOT_KIND_KIND_H
#define PCB_PLOT_KIND_KIND_H

#include "common/stream/table.h"
#include "plot/picture/picture.h"

struct kind {
	const char *name;
	const char *help; /* one line: what it shows */

	bool takes_x;        /* --x means something */
	bool takes_ethernet; /* --ethernet does */

	/*
	 * Reads the table to its end and fills the picture, whose width and
	 * height are set. Dies on bad input and where a column is missing.
	 */
	void (*draw)(struct picture *p, struct table *t);
};

/* All of them; the last is NULL. */
extern const struct kind *const kinds[];

extern const struct kind kind_cdf, kind_ccdf, kind_hist, kind_box, kind_scatter,
    kind_lat, kind_bw, kind_window, kind_heat, kind_diff, kind_tree, kind_nic,
    kind_ddio;

#endif
