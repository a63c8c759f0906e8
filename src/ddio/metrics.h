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

enum flag { FLAG_SCALED = 1, FLAG_UNGROUPED = 2, FLAG_INCONSISTENT = 4 };

/* How much hits and misses may differ from all: 2 % of it. */
#define INCONSISTENT_ABOVE 0.02

enum outcome {
	METRIC_GIVEN,
	METRIC_ABSENT,  /* an event was not counted, or nothing to divide by */
	METRIC_MISSING, /* a counter that it needs never ran */
	METRIC_UNTIMED, /* how long was counted is not known */
};

struct result {
	double value; /* NAN: more than 100 % of counts that do not add up */
	unsigned flags;
};

/*
 * Computes a metric of the place with this number. `duration` in nanoseconds
 * stands in where counts have none (NAN: not known). The result is set with
 * METRIC_GIVEN only.
 */
enum outcome metric_compute(const struct metric *metric,
                            const struct counts *counts, size_t place,
                            double duration, struct result *result);

/* The flags as words with blanks between; `text` has room for them. */
#define FLAGS_MAX 40
void flags_print(unsigned flags, char text[FLAGS_MAX]);

#endif
