/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the columns of the input are to pcb-diff. */
#ifndef PCB_DIFF_COLUMNS_H
#define PCB_DIFF_COLUMNS_H

#include "common/stream/key_set.h"
#include "common/stream/table.h"

/* What an identity column tells about a row; masks of them are joined by |. */
enum role {
	ROLE_GROUP = 1, /* what rows must have in common to be compared */
	ROLE_RUN = 2,
	ROLE_BY = 4, /* the condition of --by */
	ROLE_DEVICE = 8,
	ROLE_PARENT = 16,
	ROLE_LINK = 32,
};

/* Statistics that all mean the shortest time, and are compared where there. */
enum { FLOOR_MIN, FLOOR_P1, FLOOR_MODE, NFLOORS };
extern const char *const floor_names[NFLOORS];

/*
 * Zero-initialise, set what is wanted, then diff_columns_update whenever the
 * table has new columns; release with diff_columns_free.
 */
struct diff_columns {
	/* What is wanted. */
	const char *statistic; /* "median", or the whole name of a column */
	const char *by;        /* the argument of --by; NULL: link mode */
	bool parents_given;    /* --links: the input may lack `parent` */

	/* What was found. */
	ptrdiff_t value; /* the column of the statistic; -1 until it is there */
	ptrdiff_t floor[NFLOORS]; /* columns of these; -1 likewise */
	struct key_column {
		size_t col;
		enum role role;
	} * key; /* ascending */
	size_t nkey;
	size_t known; /* columns looked at so far */

	uintmax_t skipped; /* rows without the statistic, so far */
};

/* Whether --by names the operands, "file", and no column. */
bool diff_columns_by_file(const struct diff_columns *c);

/* Looks at the new columns; dies if more than one fits the statistic. */
void diff_columns_update(struct diff_columns *c, const struct table *t);

/* At the end of the input: dies if a column that is needed is in no part. */
void diff_columns_check(const struct diff_columns *c, const struct table *t);

/*
 * Makes of `key` the identity of the current row in the columns of these
 * roles. `device` stands in the column of the device; NULL: what the row says.
 */
void row_key(struct key *key, const struct table *t,
             const struct diff_columns *c, unsigned roles, const char *device);

/*
 * Whether this floor is there beside the statistic that was asked for, which
 * is a floor itself.
 */
bool diff_columns_has_floor(const struct diff_columns *c, size_t floor);

void diff_columns_free(struct diff_columns *c);

#endif
