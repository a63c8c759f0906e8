/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts of events, summed where they belong together. */
#ifndef PCB_DDIO_COUNTS_H
#define PCB_DDIO_COUNTS_H

#include "common/stream/key_set.h"
#include "ddio/events.h"

#include <stdbool.h>

/*
 * One count. Its value is what would have been counted had the counter run
 * all the time. Times in nanoseconds, NAN where they are not known.
 */
struct event_count {
	const struct event *event;
	double value;
	double enabled, running; /* as the kernel says them, or a sum of such */
	double duration;         /* of the interval that was counted in */
	double weight;           /* how many equal ones it stands for */
	bool missing;            /* the counter never ran: there is no value */
};

/* The samples of one event in one aggregate. */
struct total {
	const struct event *event;
	double value;
	double enabled, running, duration; /* sums */
	double n;                          /* of weights */
	bool missing;                      /* one of them had no value */
};

/*
 * What is added up: a socket, or a part of a unit, in one interval. A part's
 * unit, where its clock is counted, is an aggregate, too.
 */
struct aggregate {
	struct total *total;
	size_t n;
	size_t unit; /* the number of that aggregate; its own for any other */
};

/* Zero-initialise; release with counts_free. */
struct counts {
	struct key_set keys; /* of the aggregates */
	struct aggregate *aggregate;
	size_t room; /* there is room for */
};

/* The number of the aggregate with this key. */
size_t counts_aggregate(struct counts *c, const struct key *key);

/* Adds to what was counted of the event there. */
void counts_add(struct counts *c, size_t aggregate,
                const struct event_count *sample);

/* What was counted of the event of this name, or NULL. */
const struct total *counts_find(const struct aggregate *aggregate,
                                const char *event);

void counts_free(struct counts *c);

#endif
