/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From rows to groups. */
#ifndef PCB_STATS_ROW_GROUPS_H
#define PCB_STATS_ROW_GROUPS_H

#include "common/stat/groups.h"
#include "stats/columns.h"

/*
 * Reads the table to its end into groups with finished distributions. Dies
 * on bad input; rows without a measure are skipped, with one warning, and
 * there is another where most of many groups have only one sample.
 */
void read_samples(struct table *t, struct columns *c, struct groups *g);

#endif
