/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From counts to metrics: the formulas of the DDIO paper, in our units. */
#ifndef PCB_DDIO_METRICS_H
#define PCB_DDIO_METRICS_H

#include "ddio/counts.h"

enum formula {
	PERCENT,      /* 100 * first / second */
	PER_SECOND,   /* first / time */
	GBIT_S,       /* bits of all / time */
	RATIO,        /* first / second */
	CLOCKS_AS_NS, /* first / second clocks, third / time of them a second */
};

/* Names of events; those that are NULL are not needed. */
struct metric {
	const char *name;
	enum formula formula;
	const char *event[3];
	/* All, and what is hit or miss of it: they should agree. */
	const char *whole, *hit, *miss;
};

extern const struct metric metrics[];
extern const size_t nmetrics;

enum metric_flag {
	METRIC_SCALED = 1,
	METRIC_UNGROUPED = 2,
	METRIC_INCONSISTENT = 4
};

/* How much hits and misses may differ from all: 2 % of it. */
#define INCONSISTENT_ABOVE 0.02

enum metric_outcome {
	METRIC_GIVEN,
	METRIC_ABSENT,  /* an event was not counted, or nothing to divide by */
	METRIC_MISSING, /* a counter that it needs never ran */
	METRIC_UNTIMED, /* how long was counted is not known */
};

struct metric_value {
	double value; /* NAN: more than 100 % of counts that do not add up */
	unsigned flags;
};

/*
 * Computes a metric of the aggregate with this number. `duration` in
 * nanoseconds stands in where counts have none (NAN: not known). The result is
 * set with METRIC_GIVEN only.
 */
enum metric_outcome metric_compute(const struct metric *metric,
                                   const struct counts *counts,
                                   size_t aggregate, double duration,
                                   struct metric_value *result);

/* The flags as words with blanks between; `text` has room for them. */
#define METRIC_FLAGS_MAX 40
void metric_flags_print(unsigned flags, char text[METRIC_FLAGS_MAX]);

#endif
