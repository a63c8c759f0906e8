/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes the samples of a point in batches, and writes each before the next. */
#ifndef PCB_COLLECT_RUN_BATCH_H
#define PCB_COLLECT_RUN_BATCH_H

#include "collect/core/backend.h"
#include "collect/run/progress.h"
#include "collect/run/sample_writer.h"

/* The caller sets the public members; release with batches_free. */
struct batches {
	const struct backend *backend;
	struct session *session;
	struct sample_writer *writer;
	char *const *default_id; /* as for sample_writer_series */
	uint64_t count, warmup;  /* transactions of each point */
	uint64_t time_limit;     /* ps per point; 0: none */
	double total;            /* transactions of all points, for progress */
	struct progress progress;

	/* results of the last point */
	uint64_t taken; /* transactions of one device */
	uint64_t ns;    /* their duration */
	double rows;    /* rows of all devices */

	/* private */
	double done;
	uint64_t *raw;
	size_t capacity; /* samples per series */
};

/* Allocates and touches memory for the samples of the session's series. */
void batches_prepare(struct batches *b);

/*
 * Warms up, then measures until the count or the time limit is reached, the
 * backend has no more, or an interrupt arrives. Call after batches_prepare.
 * False after fail(); samples up to then are written.
 */
bool batches_run(struct batches *b);

void batches_free(struct batches *b);

#endif
