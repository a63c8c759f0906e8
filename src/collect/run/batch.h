/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The samples of a point: taken in batches, each written before the next. */
#ifndef PCB_COLLECT_RUN_BATCH_H
#define PCB_COLLECT_RUN_BATCH_H

#include "collect/core/backend.h"
#include "collect/run/progress.h"
#include "collect/run/sample_writer.h"

/* The caller sets what is public; release with batches_free. */
struct batches {
	const struct backend *backend;
	struct session *session;
	struct sample_writer *writer;
	char *const *default_id; /* as of sample_writer_series */
	uint64_t count, warmup;  /* transactions of each point */
	uint64_t time_limit;     /* ps for each point; 0: none */
	double total;            /* transactions of all points, for progress */
	struct progress progress;

	/* of the point that was measured last */
	uint64_t taken; /* transactions of a device */
	uint64_t ns;    /* that they took */
	double rows;    /* of all devices */

	/* private */
	double done;
	uint64_t *raw;
	size_t capacity; /* samples of each series */
};

/* Allocates room for the samples of the session's series, and touches it. */
void batches_prepare(struct batches *b);

/*
 * After that: warms up, then measures until the count or the time is reached,
 * the backend has no more, or an interrupt has come. False after fail(); what
 * was measured is written all the same.
 */
bool batches_run(struct batches *b);

void batches_free(struct batches *b);

#endif
