/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What pcb-diff writes of conditions: a row for each comparison. */
#ifndef PCB_DIFF_CONDITION_ROWS_H
#define PCB_DIFF_CONDITION_ROWS_H

#include "common/stream/writer.h"
#include "diff/conditions.h"

/* What --check asks. */
struct check {
	double percent; /* below 0: nothing */
	bool allow_missing, allow_unclear;
};

/*
 * Writes header and rows to `o`, which is set up, and leaves out_finish to the
 * caller. Warns of conditions without a row in some group, and of devices whose
 * link is not that of the base. Dies, before anything is written, where nothing
 * can be compared.
 *
 * Returns STATUS_NO if a check is asked for and a row is worse than its base by
 * more than `percent` (unless it does not differ), a row is missing on either
 * side, a difference is unclear, or the input is incomplete. A check that
 * passes is confirmed in a line on stderr.
 */
int write_conditions(const struct conditions *d, const struct check *check,
                     struct out *o);

#endif
