/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Roles of the input's columns in pcb-stats. */
#ifndef PCB_STATS_COLUMNS_H
#define PCB_STATS_COLUMNS_H

#include "common/stream/table.h"

/*
 * Zero-initialise, set the request, then columns_update; release with
 * columns_free. Indices are those of the table.
 */
struct columns {
	/* Request. */
	const char *measure; /* its name; NULL: choose one */
	char **by;           /* names to group by */
	size_t nby;
	bool by_identity; /* group by all key columns except these */

	/* Result. */
	ptrdiff_t measure_col; /* -1 while no part has it */
	ptrdiff_t count_col;   /* of the weights, or -1 */
	size_t *key;           /* columns to group by, ascending */
	size_t nkey;
	size_t known; /* columns examined so far */
};

/*
 * Splits the argument of -g or --pool into by, replacing older names; an empty
 * text means no names. Returns NULL, or why the list is refused: an empty or a
 * repeated name.
 */
const char *columns_parse_by(struct columns *c, const char *list);

/*
 * Examines new columns. The first call chooses the measure if none is given; it
 * dies if there is no candidate or more than one.
 */
void columns_update(struct columns *c, const struct table *t);

/* At the end of the input: dies if no part has a column that was named. */
void columns_check(const struct columns *c, const struct table *t);

void columns_free(struct columns *c);

#endif
