/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Input: rows of pcb-collect ddio, or the output of perf stat -x. */
#ifndef PCB_DDIO_INPUT_H
#define PCB_DDIO_INPUT_H

#include "common/stream/lines.h"
#include "common/stream/table.h"
#include "ddio/counts.h"

/* In keys, these come after all columns of the input. */
#define UNIT_COL ((size_t)UINT32_MAX - 2)
#define PART_COL ((size_t)UINT32_MAX - 1)
#define TIME_COL ((size_t)UINT32_MAX)

/*
 * Zero-initialise; release with input_free. Keys of aggregates hold the input's
 * key columns, by index, and the three above.
 */
struct input {
	struct counts counts;
	bool has_time; /* of intervals */

	uintmax_t unknown; /* rows of events in no metric */
	char *example;     /* the first such event */
	uintmax_t unsupported;
	uintmax_t repeated; /* counts of events counted twice */

	struct lines lines; /* of perf's output */
};

/* Whether all metrics of an aggregate share this key column. */
bool is_common(const char *name);

/* Reads the table to its end; dies if the input is bad. */
void read_rows(struct input *in, struct table *t);

/* The key columns of perf's output, by index. */
extern const char *const perf_columns[];
extern const size_t nperf_columns;

/*
 * Reads files (none: stdin) written by perf stat -x `separator`, each as a run;
 * dies if the input is bad.
 */
void read_perf(struct input *in, char *const files[], size_t nfiles,
               const char *separator);

/*
 * Adds a sample to its aggregate. `key` holds the row's common columns; `time`
 * may be "".
 */
void input_add(struct input *in, struct key *key, const char *unit,
               const char *part, const char *time,
               const struct event_count *sample);

/* Counts a row of an event in no metric. */
void input_unknown(struct input *in, const char *event);

void input_free(struct input *in);

#endif
