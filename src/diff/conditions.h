/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Condition mode: how rows that agree in all but one column differ. */
#ifndef PCB_DIFF_CONDITIONS_H
#define PCB_DIFF_CONDITIONS_H

#include "diff/run_values.h"

/* The runs of one group under one condition. */
struct side {
	struct values runs;
	struct values by_run; /* the same by the number of the run, or NAN */
	double tick_ns; /* of the coarsest clock among them, 0 if not known */
};

struct group {
	struct side *side; /* for each condition that it has been seen with */
	size_t nsides;
};

/* Zero-initialise, set what is wanted; release with conditions_free. */
struct conditions {
	/* What is wanted. */
	const char *base; /* NULL: the first one seen */
	bool paired;      /* runs of the same number are compared */

	/* What was found. */
	const struct table *table;     /* the input, read to its end, */
	const struct columns *columns; /* and what its columns are */
	struct key_set
	    names; /* of the conditions, in order of first appearance */
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
void read_conditions(struct conditions *d, struct table *t, struct columns *c);

/* The name of the condition of this number, below names.n. */
const char *condition_name(const struct conditions *d, size_t condition);

void conditions_free(struct conditions *d);

#endif
