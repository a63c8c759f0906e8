/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which curves are of the same thing, from different sources. */
#ifndef PCB_PLOT_DATA_CURVE_COLOURS_H
#define PCB_PLOT_DATA_CURVE_COLOURS_H

#include "common/stream/key_set.h"
#include "common/stream/table.h"

/* Whether keys that agree in the column `from` agree in the column `col`. */
bool key_follows(size_t col, size_t from, const struct key_set *keys);

/* How a curve is told from the others. */
struct look {
	size_t colour;
	bool twin; /* a curve before has this colour, too */
};

/*
 * A look for each key. Those that differ in nothing but the kind, and what
 * follows from the kind, have one colour; unless all would have it. free() it.
 */
struct look *looks_of(const struct table *t, const struct key_set *keys);

#endif
