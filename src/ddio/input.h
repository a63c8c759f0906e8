/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is read: rows of pcb-collect ddio, or what perf stat -x prints. */
#ifndef PCB_DDIO_INPUT_H
#define PCB_DDIO_INPUT_H

#include "common/stream/lines.h"
#include "common/stream/table.h"
#include "ddio/counts.h"

/* In keys these stand behind all columns that an input may have. */
#define UNIT_COL ((size_t)UINT32_MAX - 2)
#define PART_COL ((size_t)UINT32_MAX - 1)
#define TIME_COL ((size_t)UINT32_MAX)

/*
 * Zero-initialise; release with input_free. Keys of aggregates hold the columns
 * of identity of the input, by their numbers, and the three above.
 */
struct input {
	struct counts counts;
	bool has_time; /* of intervals */

	uintmax_t unknown; /* rows of events that no metric takes */
	char *example;     /* the first of them */
	uintmax_t unsupported;
	uintmax_t repeated; /* counts of what was counted beside them, too */

	struct lines lines; /* of perf's output */
};

/* Whether a column tells what all metrics of an aggregate have in common. */
bool is_common(const char *name);

/* Reads the table to its end; dies on bad input. */
void read_rows(struct input *in, struct table *t);

/* The columns of identity of perf's output, in the order of their numbers. */
extern const char *const perf_columns[];
extern const size_t nperf_columns;

/*
 * Reads files (none: stdin) that perf stat has written with -x `separator`,
 * each as a run of its own; dies on bad input.
 */
void read_perf(struct input *in, char *const files[], size_t nfiles,
               const char *separator);

/*
 * Adds a sample to the aggregate it belongs to. `key` holds what its row has in
 * common with others; `time` may be "".
 */
void input_add(struct input *in, struct key *key, const char *unit,
               const char *part, const char *time,
               const struct event_count *sample);

/* Counts a row of an event that no metric takes. */
void input_unknown(struct input *in, const char *event);

void input_free(struct input *in);

#endif
