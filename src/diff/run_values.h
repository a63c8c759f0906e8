/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A statistic over the runs. */
#ifndef PCB_DIFF_RUN_VALUES_H
#define PCB_DIFF_RUN_VALUES_H

#include "diff/columns.h"

/* Zero-initialise; free(x). */
struct run_values {
	double *x;
	size_t n, max;
};

void run_values_add(struct run_values *v, double x);

/*
 * Steps to the next row that has the statistic, and gives its value; false at
 * the end of the input, after having checked the columns and said how many
 * rows were skipped. Dies on bad input.
 */
bool next_value(struct table *t, struct diff_columns *c, double *value);

/* Dies because the current row's identity has been there before. */
_Noreturn void die_repeated(const struct table *t,
                            const struct diff_columns *c);

#endif
