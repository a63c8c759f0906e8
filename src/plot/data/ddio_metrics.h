/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What pcb-ddio writes: metrics of places, under conditions, at times. */
#ifndef PCB_PLOT_DATA_DDIO_METRICS_H
#define PCB_PLOT_DATA_DDIO_METRICS_H

#include "plot/data/captions.h"
#include "plot/data/row_reader.h"
#include "plot/picture/picture.h"

enum metric_unit {
	METRIC_GBIT_S,
	METRIC_PERCENT,
	METRIC_PER_S,
	METRIC_NS,
	METRIC_PLAIN,
	METRIC_UNITS /* how many there are */
};

/* Rows that agree in all of identity. */
struct metric_series {
	size_t subject, condition; /* numbers of their keys */
	enum metric_unit unit;
	struct curve values;  /* ns and value, by time; 0 ns if not `timed` */
	struct curve flagged; /* those with flags */
	char *flags;          /* those of the first that has any, or NULL */
};

/* Zero-initialise; release with metrics_free. */
struct metrics {
	struct key_set subjects;   /* metric, socket, unit and part */
	struct key_set conditions; /* all other columns of identity */
	struct key_set all;        /* both, for each reading */
	struct metric_series
	    *reading; /* by unit, subject, condition, once read */
	size_t n, room;
	bool timed;   /* a reading has values of several times */
	bool flagged; /* there are flags */
	size_t idle;  /* readings that were left out */
};

/*
 * Reads the table to its end: `value`, or `median_value` of pcb-stats. Rates
 * of a subject that are 0 throughout are left out, unless there are no others.
 * Dies on bad input and where a column is missing; warns of rows without.
 */
void metrics_read(struct metrics *m, struct table *t);

/* "inbound read bandwidth, part 0": metric and place, of names_of(m->all). */
char *metric_name(const struct metrics *m, const struct names *names,
                  size_t subject);

/* The median, whatever the time. */
double reading_median(const struct metric_series *r);

void metrics_free(struct metrics *m);

#endif
