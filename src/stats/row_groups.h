/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads rows into groups. */
#ifndef PCB_STATS_ROW_GROUPS_H
#define PCB_STATS_ROW_GROUPS_H

#include "stats/segments.h"

/*
 * Reads the table to its end into groups with finished histograms. Dies if the
 * input is bad. Warns once of skipped rows without a measure, and if most of
 * many groups have only one sample.
 */
void read_samples(struct table *t, struct columns *c, struct groups *g,
                  struct division division);

#endif
