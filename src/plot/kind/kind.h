/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A kind of picture: one file, and its line in plot/main.c. */
#ifndef PCB_PLOT_KIND_KIND_H
#define PCB_PLOT_KIND_KIND_H

#include "plot/data/samples.h"

/* Options that only some kinds take. */
#define TAKES_AXES      (1 << 0) /* --xrange, --yrange and --log */
#define TAKES_COLUMN    (1 << 1)
#define TAKES_X         (1 << 2)
#define TAKES_TOLERANCE (1 << 3)

struct kind {
	const char *template; /* share/pcb-tools/plot/TEMPLATE.gp */
	const char *name;
	const char *help; /* one line: what it shows */
	unsigned takes;   /* bits of the options above */

	/*
	 * Reads the table to its end and fills the picture, whose width and
	 * height are set. Dies if the input is bad or a column is missing.
	 */
	void (*draw)(struct picture *p, struct table *t,
	             const struct kind *kind);

	/* What a kind of sweep.c reads. */
	enum axis { AXIS_SIZE, AXIS_LOAD, AXIS_SILENCE, AXIS_TRANSFERS } axis;
	const char *column; /* of the axis */
	const char *label;  /* its name without unit */
	/* The value of a row: the first of these, up to a NULL, that it has. */
	const char *const *measures;
	const char *expected; /* column in Gbit/s for measures in Gbit/s */
	const char *link;     /* column that `expected` depends on, no curve */
	const char *lacking;  /* for a message: what skipped rows lack */
};

extern const struct kind kind_cdf, kind_pct, kind_scatter, kind_lat, kind_bw,
    kind_window, kind_share, kind_load, kind_heat, kind_matrix, kind_change,
    kind_tree, kind_nic, kind_fleet, kind_reference, kind_ddio, kind_link,
    kind_inflight;

#endif
