/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Joins measured rows with the model's expectation. */
#ifndef PCB_MODEL_JOIN_H
#define PCB_MODEL_JOIN_H

#include "common/base/number.h"
#include "common/stream/table.h"
#include "common/stream/writer.h"
#include "model/latency_row.h"
#include "model/link_config.h"
#include "model/passthrough_rows.h"

/* A row of the input; NAN and NULL without a model. */
struct joined {
	double model_gbit_s;
	double ratio; /* measured / expected; NAN if not measured */
	const char *limited_by;
	enum accounting accounting;

	/* For a latency: expected, and measured minus expected. */
	double median_ps, rest_ps;
};

/* Zero-initialise, set `latency`; release with join_free. */
struct join {
	struct passthrough rows;
	struct joined *row; /* one per kept row */
	size_t max;
	uintmax_t compared;
	uintmax_t without_model, without_value; /* of benches with a model */
	const char *why;                        /* the last one has no model */

	/* For latencies: options with the host; or NULL. */
	const struct latency_options *latency;
	struct sim_params host;
	struct latency_columns columns;
};

/*
 * Reads the table to its end. Dies if the input is bad, if a row of a bench
 * that the model knows lacks size or link, or if the stream lacks bandwidth.
 */
void join_read(struct join *j, struct table *t, const struct link_options *o);

/* The number of rows below the model by more than this part of it. */
size_t join_short(const struct join *j, struct fraction part);

/* The number of rows above it by more, if their accounting is a bound. */
size_t join_above(const struct join *j, struct fraction part);

/*
 * Writes header and rows to `o`, as write_bandwidths does: all columns except
 * older ones of the same names, then the model's; those for latencies only if
 * the options name a host.
 */
void join_write(struct out *o, const struct table *t, struct join *j);

void join_free(struct join *j);

#endif
