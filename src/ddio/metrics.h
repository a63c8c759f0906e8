/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes metrics from counts, by the formulas of the DDIO paper. */
#ifndef PCB_DDIO_METRICS_H
#define PCB_DDIO_METRICS_H

#include "ddio/counts.h"

enum formula {
	PERCENT,      /* 100 * first / second */
	PER_SECOND,   /* first / time */
	GBIT_S,       /* bits of all / time */
	RATIO,        /* first / second */
	CLOCKS_AS_NS, /* first / second clocks; third / time: clock rate */
};

/* Names of events; NULL: not used. */
struct metric {
	const char *name;
	enum formula formula;
	const char *event[3];
	/* All, hits and misses, which should agree. */
	const char *whole, *hit, *miss;
};

extern const struct metric metrics[];
extern const size_t nmetrics;

enum metric_flag {
	METRIC_SCALED = 1,
	METRIC_UNGROUPED = 2,
	METRIC_INCONSISTENT = 4
};

/* Largest difference of hits and misses from all, as a part: 2 %. */
#define INCONSISTENT_ABOVE 0.02

enum metric_outcome {
	METRIC_GIVEN,
	METRIC_ABSENT,  /* no count of an event, or a divisor of 0 */
	METRIC_MISSING, /* a counter that it needs never ran */
	METRIC_UNTIMED, /* the time counted is unknown */
};

struct metric_value {
	double value; /* NAN: above 100 %, from inconsistent counts */
	unsigned flags;
};

/*
 * Computes a metric of the aggregate at this index. `duration`, in nanoseconds,
 * is used for counts without one (NAN: unknown). Sets the result only with
 * METRIC_GIVEN.
 */
enum metric_outcome metric_compute(const struct metric *metric,
                                   const struct counts *counts,
                                   size_t aggregate, double duration,
                                   struct metric_value *result);

/* The flags as words separated by blanks; `text` has room for all. */
#define METRIC_FLAGS_MAX 40
void metric_flags_print(unsigned flags, char text[METRIC_FLAGS_MAX]);

#endif
