/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What pcb-diff writes of conditions: a row for each comparison. */
#ifndef PCB_DIFF_CONDITION_ROWS_H
#define PCB_DIFF_CONDITION_ROWS_H

#include "common/stream/writer.h"
#include "diff/conditions.h"

/*
 * Writes header and rows to `o`, which is set up, and leaves
 * out_finish to the caller. Says in how many groups a condition is missing;
 * dies, before anything is written, where nothing can be compared. With a
 * `check_pct` of 0 or more the result is STATUS_NO if a row is worse than its
 * base by more than that and does not say that it does not differ.
 */
int write_conditions(const struct conditions *d, double check_pct,
                     struct out *o);

#endif
