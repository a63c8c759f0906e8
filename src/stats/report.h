/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What pcb-stats writes: a row per group, or a row per group and value. */
#ifndef PCB_STATS_REPORT_H
#define PCB_STATS_REPORT_H

#include "common/stat/groups.h"
#include "common/stream/writer.h"
#include "stats/columns.h"
#include "stats/percentiles.h"

/* Which statistics, and of which kind. */
struct summary {
	struct percentiles percentiles;
	unsigned quantile_type; /* 1 to 9 */
	struct fraction level;  /* of limits of quantiles; 0/0: without */
	double outliers;        /* over so many times p95; 0: without */
	bool population;        /* deviation over n */
	bool floor;             /* p1 and mode, too */
};

/*
 * Each writes header and rows to `o`, which is set up, and
 * leaves out_finish to the caller. They die, before anything is written,
 * where two columns would have the same name.
 */
void write_summary(struct out *o, const struct table *t,
                   const struct columns *c, const struct groups *g,
                   const struct summary *s);
void write_histogram(struct out *o, const struct table *t,
                     const struct columns *c, const struct groups *g);

#endif
