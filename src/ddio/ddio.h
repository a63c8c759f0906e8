/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events, their counts in the input, and the metrics computed from these. */
#ifndef PCB_DDIO_DDIO_H
#define PCB_DDIO_DDIO_H

#include "common/stream/key_set.h"
#include "common/stream/table.h"

/* Events ------------------------------------------------------------------- */

/* A row of share/pcb-tools/ddio/events.csv. */
struct event {
	const char *name;       /* without part */
	const char *counted_as; /* "", or the event of which this is a name */
	bool of_part;   /* summed over a part of a unit, else over a socket */
	unsigned bytes; /* per count; 0: it moves no data */
};

/* Size of the text of a part. */
#define PART_MAX 4

/*
 * The event called `name`, ignoring case: as in Intel's event files, as in the
 * kernel, or as printed by perf, with the PMU before it
 * ("uncore_imc_0/cas_count_read/") or behind it ("[uncore_cha_3]"). NULL if
 * unknown. Stores a part at the end of the name (".PART3", "_iom3", "_io_3") in
 * `part`, else "".
 */
const struct event *find_event(const char *name, char part[PART_MAX]);

/* The PMU in such a name, as "cha3" or "iio"; "" if none. Free it. */
char *unit_in_event(const char *name);

/* Input -------------------------------------------------------------------- */

/*
 * A count, extrapolated to the whole time that the counter was enabled. Times
 * in nanoseconds, NAN if unknown.
 */
struct event_count {
	const struct event *event;
	double value;
	double enabled, running; /* as the kernel reports, or sums */
	double duration;         /* of the interval */
	double weight;           /* number of equal counts */
	bool missing;            /* the counter never ran: no value */
	bool scaled;             /* it did not run all the time */
};

/*
 * The sum for a socket, or for a part of a unit, in one interval. The unit of a
 * part, which counts the clock, is an aggregate, too.
 */
struct aggregate {
	/* Per event: sums over all samples; weight is their number. */
	struct event_count *total;
	size_t n;
	size_t unit; /* index of that; else its own index */
};

/* In keys, these come after all columns of the input. */
#define UNIT_COL ((size_t)UINT32_MAX - 2)
#define PART_COL ((size_t)UINT32_MAX - 1)
#define TIME_COL ((size_t)UINT32_MAX)

/*
 * Zero-initialise; release with input_free. Keys of aggregates hold the input's
 * key columns, by index, and the three above.
 */
struct input {
	struct key_set keys;         /* of aggregates */
	struct aggregate *aggregate; /* by index of key */
	size_t room;
	bool has_time;     /* of intervals */
	double elapsed;    /* what perf printed at the end, ns; 0: nothing */
	uintmax_t skipped; /* lines that are not of perf */

	uintmax_t unknown; /* rows of events in no metric */
	char *example;     /* the first such event */
	uintmax_t unsupported;
	uintmax_t repeated; /* counts of events counted twice */
};

/* Whether all metrics of an aggregate share this key column. */
bool is_common(const char *name);

/* Reads the table to its end; dies if the input is bad. */
void read_rows(struct input *in, struct table *t);

/* The key columns of perf's output, by index. */
extern const char *const perf_columns[];
extern const size_t nperf_columns;

/*
 * Reads files (none: stdin) written by perf stat -x `separator`, each as a run,
 * or its layout for people; skips other lines; dies if the input is bad.
 */
void read_perf(struct input *in, char *const files[], size_t nfiles,
               const char *separator);

/*
 * Adds a sample to its aggregate. `key` holds the row's common columns; `time`
 * may be "".
 */
void input_add(struct input *in, const struct key *key, const char *unit,
               const char *part, const char *time,
               const struct event_count *sample);

/* Counts a row of an event in no metric. */
void input_unknown(struct input *in, const char *event);

void input_free(struct input *in);

/* Metrics ------------------------------------------------------------------ */

enum formula {
	PERCENT,      /* 100 * first / second */
	PER_SECOND,   /* first / time */
	GBIT_S,       /* bits of all / time */
	RATIO,        /* first / second */
	CLOCKS_AS_NS, /* first / second clocks; third / time: clock rate */
};

/* A row of metrics.csv there: names of events; NULL: not used. */
struct metric {
	const char *name;
	enum formula formula;
	const char *event[3];
	/* All, hits and misses, which should agree. */
	const char *whole, *hit, *miss;
};

/* Set by read_metrics. */
extern struct metric *metrics;
extern size_t nmetrics;

/*
 * Reads both tables, before any input. Dies if they are not installed or wrong;
 * they stay until exit.
 */
void read_metrics(void);

enum metric_flag {
	METRIC_SCALED = 1,
	METRIC_UNGROUPED = 2,
	METRIC_INCONSISTENT = 4
};

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
                                   const struct input *in, size_t aggregate,
                                   double duration,
                                   struct metric_value *result);

#endif
