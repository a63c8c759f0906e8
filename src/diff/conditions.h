/* Condition mode: how rows that agree in all but one column differ. */
#ifndef PCB_DIFF_CONDITIONS_H
#define PCB_DIFF_CONDITIONS_H

#include "common/out.h"
#include "diff/values.h"

/* The runs of one group under one condition. */
struct side {
	struct values runs;
	double tick_ns; /* of the coarsest clock among them, 0 if not known */
};

struct group {
	struct side *side; /* for each condition that it has been seen with */
	size_t nsides;
};

/* Zero-initialise, set base; release with conditions_free. */
struct conditions {
	const char *base; /* NULL: the first one seen */

	char **name; /* of the conditions, in order of first appearance */
	size_t n;
	size_t base_number;
	struct keys keys; /* of the groups */
	struct group *group;
	size_t ngroups; /* there is room for */
};

/*
 * Reads the table to its end. Dies on bad input, and where it has rows but
 * not two conditions, or not the base.
 */
void read_conditions(struct conditions *d, struct table *t, struct columns *c);

/*
 * Writes header and rows to `o`, whose first three fields are set, and leaves
 * out_finish to the caller. Says in how many groups a condition is missing;
 * dies, before anything is written, where nothing can be compared. With a
 * `check_pct` of 0 or more the result is STATUS_NO if a row is worse than its
 * base by more than that and does not say that it does not differ.
 */
int write_conditions(const struct conditions *d, const struct table *t,
                     const struct columns *c, double check_pct, struct out *o);

void conditions_free(struct conditions *d);

#endif
