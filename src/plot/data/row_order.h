/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists what is compared side by side, in colours. */
#ifndef PCB_PLOT_DATA_ROW_ORDER_H
#define PCB_PLOT_DATA_ROW_ORDER_H

#include "plot/data/captions.h"

/* More values than this in a column have no colours. */
#define COMPARED_MOST 6

/* Release with row_order_free. */
struct row_order {
	size_t *key;    /* the number of the key in each row */
	size_t *colour; /* of each key: the number of its value */
	size_t ncolours;
	char *value[COMPARED_MOST]; /* in words, "cache cold"; NULL: just one */
};

/*
 * The order for all keys. Of the columns that names say in the legend, other
 * than `run`, the one of the fewest values is compared: keys that differ in it
 * alone have rows next to each other, and runs of one condition, too. Where
 * nothing else varies, or that has more than COMPARED_MOST values, there is one
 * colour.
 */
struct row_order row_order_of(const struct names *names,
                              const struct key_set *keys);

/*
 * Adds the bars of each colour that has any to the picture, as "WHAT", or with
 * several colours "WHAT, cache cold"; takes their points.
 */
void row_order_take(const struct row_order *o, struct picture *p,
                    const char *what, struct curve bars[]);

void row_order_free(struct row_order *o);

#endif
