/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the output of condition mode: a row per comparison. */
#ifndef PCB_DIFF_CONDITION_ROWS_H
#define PCB_DIFF_CONDITION_ROWS_H

#include "common/stream/writer.h"
#include "diff/conditions.h"

/* Limits of --check. */
struct check {
	double percent; /* negative: no check */
	bool allow_missing, allow_unclear;
};

/*
 * Writes header and rows to `o`, which is set up; the caller calls out_finish.
 * Warns of conditions without a row in some group, and of devices whose link
 * differs from that in the base. Dies, before writing, if nothing can be
 * compared.
 *
 * Returns STATUS_NO if a check is requested and a row is worse than its base by
 * more than `percent` (unless it does not differ), a row is missing on either
 * side, a difference is unclear, or the input is incomplete. A check that
 * passes prints a line on stderr.
 */
int write_conditions(const struct conditions *d, const struct check *check,
                     struct out *o);

#endif
