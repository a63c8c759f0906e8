/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Roles of the input's columns in pcb-diff. */
#ifndef PCB_DIFF_COLUMNS_H
#define PCB_DIFF_COLUMNS_H

#include "common/stream/key_set.h"
#include "common/stream/table.h"

/* Roles of a key column; masks combine them. */
enum role {
	ROLE_GROUP = 1, /* equal in rows that are compared */
	ROLE_RUN = 2,
	ROLE_BY = 4, /* a condition of --by */
	ROLE_DEVICE = 8,
	ROLE_PARENT = 16,
	ROLE_LINK = 32,
};

/* Statistics near the shortest time, compared if the input has them. */
enum { FLOOR_MIN, FLOOR_P1, FLOOR_MODE, NFLOORS };
extern const char *const floor_names[NFLOORS];

/*
 * Zero-initialise, set the request, then call diff_columns_update whenever the
 * table has new columns; release with diff_columns_free.
 */
struct diff_columns {
	/* Request. */
	const char *statistic; /* "median", or a column's full name */
	char **by;             /* columns of --by, or "file"; NULL: link mode */
	size_t nby;
	char **ignore; /* key columns to ignore */
	size_t nignore;
	bool parents_given; /* --links: the input may lack `parent` */

	/* Result. */
	ptrdiff_t value;          /* column of the statistic, -1 until found */
	ptrdiff_t floor[NFLOORS]; /* columns of these, -1 until found */
	struct key_column {
		size_t col;
		enum role role;
		size_t by; /* for ROLE_BY: index in `by` */
	} * key;           /* ascending */
	size_t nkey;
	size_t known; /* columns examined so far */

	uintmax_t skipped; /* rows without the statistic, so far */
};

/* Whether --by compares operands ("file") and no column. */
bool diff_columns_by_file(const struct diff_columns *c);

/* Examines the new columns; dies if more than one fits the statistic. */
void diff_columns_update(struct diff_columns *c, const struct table *t);

/* At the end of the input: dies if no part has a required column. */
void diff_columns_check(const struct diff_columns *c, const struct table *t);

/*
 * Sets `key` to the current row's cells in the columns of these roles. `device`
 * replaces the cell of the device column; NULL: the row's own.
 */
void row_key(struct key *key, const struct table *t,
             const struct diff_columns *c, unsigned roles, const char *device);

/*
 * Whether the input has this floor besides the requested statistic, which may
 * be a floor itself.
 */
bool diff_columns_has_floor(const struct diff_columns *c, size_t floor);

void diff_columns_free(struct diff_columns *c);

#endif
