/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the columns of the input are to pcb-stats. */
#ifndef PCB_STATS_COLUMNS_H
#define PCB_STATS_COLUMNS_H

#include "common/stream/table.h"

/*
 * Zero-initialise, set what is wanted, then columns_update; release with
 * columns_free. Column numbers are those of the table.
 */
struct columns {
	/* What is wanted. */
	const char *measure; /* its name; NULL: to be chosen */
	char **by;           /* names to group by */
	size_t nby;
	bool by_identity; /* group by all of identity but these instead */

	/* What was found. */
	ptrdiff_t measure_col; /* -1 while no part had it */
	ptrdiff_t count_col;   /* of the weights, or -1 */
	size_t *key;           /* the columns to group by, ascending */
	size_t nkey;
	size_t known; /* columns looked at so far */
};

/*
 * Splits the argument of -g or --pool into by, in place of older names; an
 * empty text is no name at all. Returns NULL, or why the list is refused: an
 * empty name, or one that is there twice.
 */
const char *columns_parse_by(struct columns *c, const char *list);

/*
 * Looks at the columns that are new. The first call chooses the measure if
 * need be; it dies where there is no choice or more than one.
 */
void columns_update(struct columns *c, const struct table *t);

/* At the end of the input: dies if a column that was named is in no part. */
void columns_check(const struct columns *c, const struct table *t);

void columns_free(struct columns *c);

#endif
