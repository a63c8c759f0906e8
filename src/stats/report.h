/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the output of pcb-stats: a row per group, or per group and value. */
#ifndef PCB_STATS_REPORT_H
#define PCB_STATS_REPORT_H

#include "common/stat/groups.h"
#include "common/stream/writer.h"
#include "stats/columns.h"
#include "stats/percentiles.h"

/* The statistics to write. */
struct summary {
	struct percentiles percentiles;
	unsigned quantile_type; /* 1 to 9 */
	struct fraction level;  /* of confidence limits; 0/0: none */
	double outliers;        /* above this multiple of p95; 0: none */
	bool population;        /* standard deviation over n */
	bool floor;             /* p1 and mode, too */
};

/*
 * Each writes header and rows to `o`, which is set up; the caller calls
 * out_finish. They die, before writing, if two columns would have the same
 * name.
 */
void write_summary(struct out *o, const struct table *t,
                   const struct columns *c, const struct groups *g,
                   const struct summary *s);
void write_histogram(struct out *o, const struct table *t,
                     const struct columns *c, const struct groups *g);

#endif
