/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers against a size: what some kinds of picture have in common. */
#ifndef PCB_PLOT_DATA_SWEEPS_H
#define PCB_PLOT_DATA_SWEEPS_H

#include "common/stream/key_set.h"
#include "common/stream/table.h"
#include "plot/data/captions.h"
#include "plot/data/curve_colours.h"
#include "plot/data/sweep_points.h"

/* The columns that a sweep is made of. */
struct sweep_kind {
	const char *column; /* the axis: sizes */
	const char *label;  /* what it is, without the unit */

	/* The number: the first of these, up to a NULL, that a row has. */
	const char *const *measures;
	const char *expected; /* Gbit/s beside a measure in them */
	const char *needed;   /* for a message: what rows are skipped without */
};

/* Rows that differ in nothing but size. */
struct size_sweep {
	struct sweep_points points;
	struct curve expected; /* sorted by size */
	struct curve_style style;
};

/* Zero-initialise; release with sweeps_free. */
struct size_sweeps {
	struct key_set keys;
	struct size_sweep *sweep; /* for each of them */
	size_t room;
	const char *measure; /* as in row_reader.h */
};

/*
 * Reads the table to its end; samples of one size are pooled. Dies on bad
 * input, where columns are missing, and where rows have measures of different
 * units; warns about rows without them.
 */
void sweeps_read(struct size_sweeps *s, struct table *t,
                 const struct sweep_kind *kind);
void sweeps_free(struct size_sweeps *s);

/* Whether the rows of this key are computed: their kind is "model". */
bool is_computed(const struct names *names, const struct key *key);

#endif
