/* Bandwidth against a size: what some kinds of picture have in common. */
#ifndef PCB_PLOT_SWEEPS_H
#define PCB_PLOT_SWEEPS_H

#include "common/keys.h"
#include "common/table.h"
#include "plot/describe.h"
#include "plot/picture.h"

/* The columns that a sweep is made of. */
struct sweep_columns {
	const char *size;
	const char *expected; /* Gbit/s; may be missing or empty */
};

/* Rows that differ in nothing but size. */
struct sweep {
	struct curve measured, expected;
};

/* Zero-initialise; release with sweeps_free. */
struct sweeps {
	struct keys keys;
	struct sweep *sweep; /* for each of them, sorted by size */
	size_t n;
};

/*
 * Reads the table to its end. What is measured is median_gbit_s, or
 * bandwidth_gbit_s where that is empty or missing. Dies on bad input and where
 * size and bandwidth are missing; warns about rows without them.
 */
void sweeps_read(struct sweeps *s, struct table *t,
                 const struct sweep_columns *columns);
void sweeps_free(struct sweeps *s);

/* Whether the rows of this key are computed: their kind is "model". */
bool is_computed(const struct names *names, const struct key *key);

/* Sets the axes: every size that the curves have, and bandwidth from 0. */
void sweeps_axes(struct picture *p, const char *size, const char *bandwidth);

#endif
