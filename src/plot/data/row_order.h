/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Order and colours of rows that are compared. */
#ifndef PCB_PLOT_DATA_ROW_ORDER_H
#define PCB_PLOT_DATA_ROW_ORDER_H

#include "plot/data/captions.h"

/* A column with more values is not compared. */
#define COMPARED_MOST 6

/* Release with row_order_free. */
struct row_order {
	size_t *key;    /* index of each row's key */
	size_t *colour; /* of each key: number of its compared value */
	size_t ncolours;
	char *value[COMPARED_MOST]; /* such as "cache cold"; NULL if only one */
};

/*
 * The order of all keys. Compares the column, of those of the legend except
 * `run`, with the fewest values: keys that differ only in it have adjacent
 * rows, and so have runs of one condition. Without other varying columns, or
 * with more than COMPARED_MOST values, there is one colour.
 */
struct row_order row_order_of(const struct names *names,
                              const struct key_set *keys);

/*
 * Adds the bars of each colour that has some, and names them "WHAT" or, with
 * several colours, "WHAT, cache cold". Takes their points.
 */
void row_order_take(const struct row_order *o, struct picture *p,
                    const char *what, struct curve bars[]);

void row_order_free(struct row_order *o);

#endif
