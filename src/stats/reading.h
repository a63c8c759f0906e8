/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the rows of one table into groups. */
#ifndef PCB_STATS_READING_H
#define PCB_STATS_READING_H

#include "common/stat/groups.h"
#include "stats/columns.h"
#include "stats/tally.h"

/*
 * State while rows are read: set table, columns, groups and tally, then
 * reading_begin; release with reading_free. Rows of another group than the row
 * before are queued and looked up together, when the queue is full or the last
 * one's group is needed.
 */
struct reading {
	struct table *table;
	struct columns *columns;
	struct groups *groups;
	struct tally *tally;
	uintmax_t skipped; /* rows without a measure */

	size_t group;        /* of the row before, and of this one */
	size_t same_columns; /* number of leading columns in common */
	struct key key[KEY_SET_AT_ONCE];
	struct tallied waiting[KEY_SET_AT_ONCE];
	size_t nwaiting;
};

void reading_begin(struct reading *r);

/* Reads rows until the table pauses or ends; dies if the input is bad. */
void reading_take_rows(struct reading *r);

/*
 * Reads the plain rows of a fork whose columns have been examined; leaves the
 * first bad one to the table. Dies only without memory.
 */
void reading_take_plain_rows(struct reading *r);

/* Adds all samples so far, and sorts all histograms. More rows may follow. */
void reading_finish(struct reading *r);

void reading_free(struct reading *r);

#endif
