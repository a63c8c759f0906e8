/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metrics of pcb-ddio: by place, condition and time. */
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
	METRIC_UNITS /* the number of units */
};

/* Rows with the same key columns. */
struct metric_series {
	size_t subject, condition; /* index of each key */
	enum metric_unit unit;
	struct curve values;  /* ns (0 unless `timed`) and value */
	struct curve flagged; /* the points with flags */
	char *flags;          /* of the first row that has some, or NULL */
};

/* Zero-initialise; release with metrics_free. */
struct metrics {
	struct key_set subjects;       /* metric, socket, unit and part */
	struct key_set conditions;     /* all other key columns */
	struct key_set all;            /* both, for each reading */
	struct metric_series *reading; /* sorted by unit, subject, condition */
	size_t n, room;
	bool timed;   /* a reading has several times */
	bool flagged; /* some rows have flags */
	size_t idle;  /* readings dropped as idle */
};

/*
 * Reads the table to its end: `value`, or `median_value` of pcb-stats. Drops
 * rates of a subject that are always 0, unless all are. Dies if the input is
 * bad or a column is missing; warns of rows without a value.
 */
void metrics_read(struct metrics *m, struct table *t);

/* "inbound read bandwidth, part 0": metric and place, by names_of(m->all). */
char *metric_name(const struct metrics *m, const struct names *names,
                  size_t subject);

/* The median over all times. */
double reading_median(const struct metric_series *r);

void metrics_free(struct metrics *m);

#endif
