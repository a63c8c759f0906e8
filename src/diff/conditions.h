/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Condition mode: how rows that agree in all but one column differ. */
#ifndef PCB_DIFF_CONDITIONS_H
#define PCB_DIFF_CONDITIONS_H

#include "diff/run_values.h"

/* The runs of one group under one condition. */
struct side {
	struct run_values runs;
	struct run_values
	    by_run;     /* the same by the number of the run, or NAN */
	double tick_ns; /* of the coarsest clock among them, 0 if not known */
};

struct group {
	struct side *side; /* for each condition that it has been seen with */
	size_t nsides;
};

/* Zero-initialise, set what is wanted; release with conditions_free. */
struct conditions {
	/* What is wanted. */
	const char *base; /* its name; NULL: the first one seen */
	bool paired;      /* runs of the same number are compared */

	/* What was found. */
	const struct table *table;          /* the input, read to its end, */
	const struct diff_columns *columns; /* and what its columns are */
	struct key_set names; /* their cells, in order of first appearance */
	char **label;         /* the same as one text, "rack7,03:00.0" */
	size_t label_room;
	size_t base_number;
	struct key_set runs; /* their numbers */
	struct key_set keys; /* of the groups */
	struct group *group;
	size_t room;
};

/*
 * Reads the table to its end. Dies on bad input, and where it has rows but
 * not two conditions, or not the base. Table and columns must outlive the
 * conditions.
 */
void read_conditions(struct conditions *d, struct table *t,
                     struct diff_columns *c);

/*
 * The name of the condition of this number, below names.n; and what it has in
 * the column at `place` of --by.
 */
const char *condition_name(const struct conditions *d, size_t condition);
const char *condition_part(const struct conditions *d, size_t condition,
                           size_t place);

/* The argument of --by, "host,device"; free it. */
char *conditions_by(const struct conditions *d);

void conditions_free(struct conditions *d);

#endif
