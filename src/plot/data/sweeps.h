/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values against a size. */
#ifndef PCB_PLOT_DATA_SWEEPS_H
#define PCB_PLOT_DATA_SWEEPS_H

#include "common/stream/key_set.h"
#include "common/stream/table.h"
#include "plot/data/captions.h"
#include "plot/data/curve_colours.h"
#include "plot/data/row_reader.h"
#include "plot/picture/picture.h"

struct sweep_point {
	struct plot_point at;
	double low, high; /* of the band; NAN: none */
	double floor;     /* the minimum; NAN: none, or in the band */
};

/* Samples at one x. */
struct pool {
	double x;
	struct histogram histogram;
};

/* Zero-initialise; release with sweep_points_free. */
struct sweep_points {
	struct sweep_point *point; /* ascending once finished */
	size_t n, max;
	struct pool *pool;
	size_t npools;
	size_t last; /* result of the last search */
};

/* The columns of a sweep. */
struct sweep_kind {
	const char *column; /* the axis: sizes */
	const char *label;  /* its name without unit */

	/* The value of a row: the first of these, up to a NULL, that it has. */
	const char *const *measures;
	const char *expected; /* column in Gbit/s for measures in Gbit/s */
	const char *needed;   /* for a message: what skipped rows lack */
};

/* Rows that differ only in size. */
struct size_sweep {
	struct sweep_points points;
	struct curve expected; /* sorted by size */
	struct curve_style style;
};

/* Zero-initialise; release with sweeps_free. */
struct size_sweeps {
	struct key_set keys;
	struct size_sweep *sweep; /* one per key */
	size_t room;
	const char *measure; /* as in row_reader.h */
};

/*
 * Reads the table to its end; pools samples of one size. Dies if the input is
 * bad, columns are missing or measures have different units; warns of rows
 * without a value.
 */
void sweeps_read(struct size_sweeps *s, struct table *t,
                 const struct sweep_kind *kind);
void sweeps_free(struct size_sweeps *s);

/* Adds the middle of each point to the curve. */
void sweep_points_append(struct curve *c, const struct sweep_points *s);

/* Whether the rows of this key are computed: kind "model". */
bool is_computed(const struct names *names, const struct key *key);

#endif
