/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts of events, summed by place and interval. */
#ifndef PCB_DDIO_COUNTS_H
#define PCB_DDIO_COUNTS_H

#include "common/stream/key_set.h"
#include "ddio/events.h"

#include <stdbool.h>

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
};

/* The samples of an event in an aggregate. */
struct total {
	const struct event *event;
	double value;
	double enabled, running, duration; /* sums */
	double n;                          /* sum of weights */
	bool missing;                      /* a sample has no value */
};

/*
 * The sum for a socket, or for a part of a unit, in one interval. The unit of a
 * part, which counts the clock, is an aggregate, too.
 */
struct aggregate {
	struct total *total;
	size_t n;
	size_t unit; /* index of that; else its own index */
};

/* Zero-initialise; release with counts_free. */
struct counts {
	struct key_set keys; /* of aggregates */
	struct aggregate *aggregate;
	size_t room; /* capacity */
};

/* The index of the aggregate with this key. */
size_t counts_aggregate(struct counts *c, const struct key *key);

/* Adds a sample to an event's total in an aggregate. */
void counts_add(struct counts *c, size_t aggregate,
                const struct event_count *sample);

/* The total of the event called `event`, or NULL. */
const struct total *counts_find(const struct aggregate *aggregate,
                                const char *event);

void counts_free(struct counts *c);

#endif
