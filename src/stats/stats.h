/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-stats: columns, samples and statistics. */
#ifndef PCB_STATS_STATS_H
#define PCB_STATS_STATS_H

#include "common/stat/histogram.h"
#include "common/stat/quantile_ci.h"
#include "common/stat/sequence.h"
#include "common/stream/table.h"
#include "common/stream/writer.h"

/* Columns ------------------------------------------------------------------ */

/*
 * Zero-initialise, set the request, then read_samples; release with
 * columns_free. Indices are those of the table.
 */
struct columns {
	/* Request. */
	const char *given; /* the column to summarise; NULL: choose one */
	char **by;         /* names to group by */
	size_t nby;
	bool by_identity; /* group by all key columns except these */
	bool alone;       /* no other column beside the measure */

	/* Result. */
	const char *measure;   /* NULL: no part has one */
	ptrdiff_t measure_col; /* -1 while no part has it */
	const char *other;     /* of rows without the measure, or NULL */
	ptrdiff_t other_col;   /* -1 without it */
	ptrdiff_t count_col;   /* of the weights, or -1 */
	size_t *key;           /* columns to group by, ascending */
	size_t nkey;
	size_t known; /* columns examined so far */
	bool *wanted; /* each of them, for table_want */

	/* Private: those of them with a unit. */
	const char *with_unit; /* the first one */
	size_t nunits;
};

/*
 * Splits the argument of -g or --pool into by, replacing older names; an empty
 * text means no names. Returns NULL, or why the list is refused: an empty or a
 * repeated name.
 */
const char *columns_parse_by(struct columns *c, const char *list);

/* Examines new columns; dies if it is not clear which one to summarise. */
void columns_update(struct columns *c, struct table *t);

/* At the end of the input: dies if no part has a column that was named. */
void columns_check(const struct columns *c, const struct table *t);

void columns_free(struct columns *c);

/* Order -------------------------------------------------------------------- */

/* The samples of each group in order. Zero-initialise; free with order_free. */
struct order {
	struct sequence **of; /* by index of the group's key; NULL: none */
	size_t room;
	bool lost; /* the order of samples is not that of the measurement */
};

void order_free(struct order *o);

/* Samples ------------------------------------------------------------------ */

/*
 * Reads the table to its end, with its current row if `first`, into groups with
 * finished histograms; rows that have no measure but the other one, such as
 * latencies beside bandwidths, into groups of their own. Uses 1 to THREADS_MAX
 * threads, which take at least `range` bytes of a file at a time; neither
 * changes the result or a message. `order`, unless NULL, gets the samples, and
 * then one thread reads. Dies if the input is bad. Warns once of skipped rows
 * without a measure, and if most of many groups have only one sample.
 */
#define USUAL_RANGE ((size_t)1 << 18)
void read_samples(struct table *t, bool first, struct columns *c,
                  struct groups *g, struct groups *others, struct order *order,
                  unsigned threads, size_t range);

/* Output ------------------------------------------------------------------- */

/* The percentages of -p. Zero-initialise; free(list). */
struct percentiles {
	struct percentile {
		struct fraction part;
		char name[24]; /* p99_9 */
	} * list;              /* ascending */
	size_t n;
};

/*
 * Parses "95,99.9". Returns NULL, or why the text is refused, as the parsers of
 * common/base/number.h do.
 */
const char *parse_percentiles(void *percentiles, const char *list);

/* The statistics to write. */
struct summary {
	struct percentiles percentiles;
	bool percentiles_given;
	unsigned quantile_type; /* 1 to 9 */
	struct fraction level;  /* of confidence limits; 0/0: none */
	double outliers;        /* above this multiple of p95; 0: none */
	bool population;        /* standard deviation over n */
	bool floor;             /* p1 and mode, too */
};

/* Each writes rows to `o`, which is set up; the caller calls out_finish. */
void write_summary(struct out *o, const struct table *t,
                   const struct columns *c, const struct groups *g,
                   const struct groups *others, const struct order *order,
                   const struct summary *s);
void write_histogram(struct out *o, const struct table *t,
                     const struct columns *c, const struct groups *g);

/* Whether the table has statistics, and no samples beside them. */
bool has_statistics(const struct table *t);

/* Reads the table to its end, as above, and writes its rows as they are. */
void write_again(struct out *o, struct table *t, bool first);

#endif
