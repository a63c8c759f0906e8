/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Colours of curves: one for measured and simulated data of one setup. */
#ifndef PCB_PLOT_DATA_CURVE_COLOURS_H
#define PCB_PLOT_DATA_CURVE_COLOURS_H

#include "common/stream/key_set.h"
#include "common/stream/table.h"

/* Whether keys that agree in column `from` also agree in column `col`. */
bool key_follows(size_t col, size_t from, const struct key_set *keys);

/*
 * Numbers keys from 0 in order of first appearance; keys that agree in all
 * columns marked by `in` have one number. Returns the number of numbers.
 */
size_t number_keys(size_t number[], const struct key_set *keys, const bool *in,
                   size_t ncols);

/* How a curve is distinguished. */
struct curve_style {
	size_t colour;
	bool dashed;   /* another curve has the same colour */
	bool repeated; /* an earlier curve differs only in the run */
	size_t runs;   /* curves that differ only in the run; 1: this one */
};

/*
 * A style for each key. Keys that differ only in the kind, and in what follows
 * from it, share a colour, unless all would. Keys that differ only in the run
 * always do. Free it.
 */
struct curve_style *curve_styles_of(const struct table *t,
                                    const struct key_set *keys);

/* The same, with a colour for each key that differs in more than the run. */
struct curve_style *run_styles_of(const struct table *t,
                                  const struct key_set *keys);

#endif
