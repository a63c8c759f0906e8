/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of a statistic over runs. */
#ifndef PCB_DIFF_RUN_VALUES_H
#define PCB_DIFF_RUN_VALUES_H

#include "diff/columns.h"

/* Zero-initialise; free(x). */
struct run_values {
	double *x;
	size_t n, max;
};

/* Appends a value. */
void run_values_add(struct run_values *v, double x);

/*
 * Steps to the next row that has the statistic, and stores its value. False at
 * the end of the input, after checking the columns and reporting skipped rows.
 * Dies if the input is bad.
 */
bool next_value(struct table *t, struct diff_columns *c, double *value);

/* Dies because an earlier row has the same key. */
_Noreturn void die_repeated(const struct table *t,
                            const struct diff_columns *c);

#endif
