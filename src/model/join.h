/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measured rows, with what the model expects next to them. */
#ifndef PCB_MODEL_JOIN_H
#define PCB_MODEL_JOIN_H

#include "common/base/number.h"
#include "common/stream/table.h"
#include "common/stream/writer.h"
#include "model/latency_row.h"
#include "model/link_config.h"
#include "model/passthrough_rows.h"

/* A row of the input; NAN and NULL where the model says nothing. */
struct joined {
	double model_gbit_s;
	double ratio; /* measured / expected; NAN where nothing was measured */
	const char *limited_by;
	enum accounting accounting;

	/* Of a latency: what is expected, and measured less that. */
	double median_ps, rest_ps;
};

/* Zero-initialise, set `latency`; release with join_free. */
struct join {
	struct passthrough rows;
	struct joined *row; /* one for each that is kept */
	size_t max;
	uintmax_t compared;
	uintmax_t without_model, without_value; /* of the model's benches */
	const char *why;                        /* the last one had no model */

	/* Of latencies: the options, with the host; or NULL. */
	const struct latency_options *latency;
	struct sim_params host;
	struct latency_columns columns;
};

/*
 * Reads the table to its end. Dies on bad input, and where a row of a bench
 * that the model knows lacks its size or link, or the stream a bandwidth.
 */
void join_read(struct join *j, struct table *t, const struct link_options *o);

/* How many rows fall short of the model by more than this part of it. */
size_t join_short(const struct join *j, struct fraction part);

/* How many exceed it by more, of those with an accounting that is a bound. */
size_t join_above(const struct join *j, struct fraction part);

/*
 * Writes header and rows to `o`, as write_bandwidths does: all columns but
 * older ones of the same names, then the model's; of latencies only where the
 * options name a host.
 */
void join_write(struct out *o, const struct table *t, struct join *j);

void join_free(struct join *j);

#endif
