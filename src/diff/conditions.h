/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Condition mode: compares rows that differ only in one condition. */
#ifndef PCB_DIFF_CONDITIONS_H
#define PCB_DIFF_CONDITIONS_H

#include "diff/run_values.h"

/* The runs of a group under one condition. */
struct side {
	struct run_values runs;
	struct run_values by_run; /* by index of the run; NAN: none */
	double tick_ns;           /* of the coarsest clock; 0: unknown */
};

struct group {
	struct side *side; /* one per condition seen */
	size_t nsides;
};

/* Zero-initialise, set the request; release with conditions_free. */
struct conditions {
	/* Request. */
	const char *base; /* its name; NULL: the first one */
	bool paired;      /* compare runs of equal number */

	/* Result. */
	const struct table *table;          /* input, read to its end */
	const struct diff_columns *columns; /* its columns */
	struct key_set names; /* conditions, in order of appearance */
	char **label;         /* as one text, "rack7,03:00.0" */
	size_t label_room;
	size_t base_number;
	struct key_set runs; /* numbers of runs */
	struct key_set keys; /* of the groups */
	struct group *group;
	size_t room;
};

/*
 * Reads the table to its end. Dies if the input is bad, or has rows but not two
 * conditions, or lacks the base. Table and columns must outlive the conditions.
 */
void read_conditions(struct conditions *d, struct table *t,
                     struct diff_columns *c);

/*
 * The name of the condition at this index, below names.n; and its part for
 * column `place` of --by.
 */
const char *condition_name(const struct conditions *d, size_t condition);
const char *condition_part(const struct conditions *d, size_t condition,
                           size_t place);

/* The argument of --by, "host,device"; free it. */
char *conditions_by(const struct conditions *d);

void conditions_free(struct conditions *d);

#endif
