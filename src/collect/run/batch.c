/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sizes batches by time, runs them, and yields the CPU in between. */
#include "collect/run/batch.h"

#include "collect/host/clock.h"
#include "collect/run/interrupt.h"
#include "common/base/intmath.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Most samples, of all series, between two writes. */
#define RAW_MAX ((size_t)1 << 18)

/* Target duration of a batch, which keeps progress and output going. */
#define BATCH_NS 200000000

/* Size of the first batch; paced samples come one at a time. */
#define FIRST_BATCH 64

/* A real-time thread yields this part of its time. */
#define REST_PART 8

/* Writes the samples of the last run; false if there are none. */
static bool
write_samples(struct batches *b)
{
	struct session *s = b->session;
	bool any = false;

	for (size_t i = 0; i < s->nseries; i++) {
		if (!s->series[i].n)
			continue;
		any = true;
		sample_writer_series(b->writer, &s->series[i], b->default_id);
		sample_writer_write(b->writer, s->series[i].raw,
		                    s->series[i].n);
	}
	if (any && fflush(stdout))
		check_stdout();
	return any;
}

/* Counts the samples of the last run. */
static void
count_samples(struct batches *b, bool totals)
{
	const struct session *s = b->session;

	for (size_t i = 0; i < s->nseries; i++)
		b->rows += (double)s->series[i].n;
	if (s->nseries && s->series->n)
		b->taken += totals ? *s->series->raw : s->series->n;
}

static bool
run_backend(struct batches *b, uint64_t want)
{
	struct session *s = b->session;

	for (size_t i = 0; i < s->nseries; i++)
		s->series[i].n = 0;
	return b->backend->run(s, want);
}

/* The size of the next batch, for BATCH_NS at the speed of the last one. */
static uint64_t
next_batch(uint64_t last, uint64_t took_ns)
{
	uint64_t next = last * BATCH_NS / (took_ns + 1);

	if (next > 8 * last)
		next = 8 * last;
	return next ? next : 1;
}

void
batches_prepare(struct batches *b)
{
	struct session *s = b->session;
	size_t width = s->request->bench->width;

	b->capacity = min_u64(b->count > b->warmup ? b->count : b->warmup,
	                      RAW_MAX / (s->nseries ? s->nseries : 1));
	if (b->capacity < FIRST_BATCH)
		b->capacity = FIRST_BATCH;
	free(b->raw);
	b->raw = xcalloc(b->capacity * s->nseries, width * sizeof *b->raw);
	memset(b->raw, 0xff, b->capacity * s->nseries * width * sizeof *b->raw);
	for (size_t i = 0; i < s->nseries; i++)
		s->series[i].raw = b->raw + i * b->capacity * width;
}

static bool
warm_up(struct batches *b)
{
	bool totals = b->session->request->bench->totals;
	uint64_t left = b->warmup;

	while (left && !interrupt.pending) {
		uint64_t want = totals ? left : min_u64(left, b->capacity);

		if (!run_backend(b, want))
			return false;
		left -= want;
	}
	return true;
}

/*
 * The kernel takes the CPU from a real-time thread for 50 ms of each second,
 * sched(7). Yielding now avoids that within a sample.
 */
static void
yield_realtime(uint64_t worked_ns)
{
	uint64_t ns = min_u64(worked_ns, 5 * (uint64_t)BATCH_NS) / REST_PART;
	const struct timespec pause = {.tv_nsec = (long)ns};
	int policy = sched_getscheduler(0);

	if (policy == SCHED_FIFO || policy == SCHED_RR)
		nanosleep(&pause, NULL);
}

/* The part of a point that is done, by count or time, whichever is more. */
static double
part_done(const struct batches *b, uint64_t left, uint64_t took_ns)
{
	double counted = (double)(b->count - left) / (double)b->count;
	double timed =
	    b->time_limit ? 1000 * (double)took_ns / (double)b->time_limit : 0;

	return fmin(1, fmax(counted, timed));
}

static bool
measure(struct batches *b)
{
	const struct bench *bench = b->session->request->bench;
	bool totals = bench->totals; /* a total is one sample */
	uint64_t batch = bench->paced ? 1 : FIRST_BATCH;

	double before = b->done;
	uint64_t begin = now_ns();

	b->taken = b->ns = 0;
	b->rows = 0;

	for (uint64_t left = b->count; left && !interrupt.pending;) {
		uint64_t want = min_u64(left, totals ? left : batch);
		uint64_t start = now_ns();
		bool ok = run_backend(b, want);
		uint64_t took = now_ns() - start;

		batch = min_u64(next_batch(want, took), b->capacity);
		count_samples(b, totals);
		b->ns = now_ns() - begin;
		if (!write_samples(b) || !ok)
			return ok;
		yield_realtime(took);
		left -= want;
		b->done = before + part_done(b, left, now_ns() - begin) *
		                       (double)b->count;
		progress_show(&b->progress, b->done / b->total);
	}
	return true;
}

bool
batches_run(struct batches *b)
{
	double done = b->done;
	bool ok;

	if (!warm_up(b))
		return false;
	interrupt_after(b->time_limit);
	ok = measure(b);
	interrupt_after(0);
	b->done = done + (double)b->count;
	return ok;
}

void
batches_free(struct batches *b)
{
	free(b->raw);
	b->raw = NULL;
}
