/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which curves are of the same thing, from different sources. */
#ifndef PCB_PLOT_DATA_CURVE_COLOURS_H
#define PCB_PLOT_DATA_CURVE_COLOURS_H

#include "common/stream/key_set.h"
#include "common/stream/table.h"

/* Whether keys that agree in the column `from` agree in the column `col`. */
bool key_follows(size_t col, size_t from, const struct key_set *keys);

/*
 * Numbers keys from 0 in order of first appearance, those alike that agree in
 * all columns that `in` marks; returns how many numbers there are.
 */
size_t number_keys(size_t number[], const struct key_set *keys, const bool *in,
                   size_t ncols);

/* How a curve is told from the others. */
struct curve_style {
	size_t colour;
	bool dashed;   /* a curve of something else has this colour, too */
	bool repeated; /* a curve before differs in the run alone */
	size_t runs;   /* how many curves differ in the run alone; 1: none */
};

/*
 * A style for each key. Those that differ in nothing but the kind, and what
 * follows from the kind, have one colour; unless all would have it. Those that
 * differ in the run alone always have. free() it.
 */
struct curve_style *curve_styles_of(const struct table *t,
                                    const struct key_set *keys);

/* The same, with a colour for each key that differs in more than the run. */
struct curve_style *run_styles_of(const struct table *t,
                                  const struct key_set *keys);

#endif
