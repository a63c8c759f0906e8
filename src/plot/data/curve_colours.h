/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which curves are of the same thing, from different sources. */
#ifndef PCB_PLOT_DATA_CURVE_COLOURS_H
#define PCB_PLOT_DATA_CURVE_COLOURS_H

#include "common/stream/key_set.h"
#include "common/stream/table.h"

/* Whether keys that agree in the column `from` agree in the column `col`. */
bool key_follows(size_t col, size_t from, const struct key_set *keys);

/* How a curve is told from the others. */
struct curve_style {
	size_t colour;
	bool dashed; /* a curve before has this colour, too */
};

/*
 * A style for each key. Those that differ in nothing but the kind, and what
 * follows from the kind, have one colour; unless all would have it. free() it.
 */
struct curve_style *curve_styles_of(const struct table *t,
                                    const struct key_set *keys);

#endif
