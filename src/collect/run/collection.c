/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens a device, measures every point of a sweep in batches, closes it. */
#include "collect/run/collection.h"

#include "collect/host/clock.h"
#include "collect/host/describe.h"
#include "collect/host/record.h"
#include "collect/run/interrupt.h"
#include "collect/run/progress.h"
#include "collect/run/sample_writer.h"
#include "common/base/intmath.h"
#include "common/base/output.h"
#include "common/base/version.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

/* Most samples, of all series, between two writes. */
#define RAW_MAX ((size_t)1 << 18)

/* Target duration of a batch, which keeps progress and output going. */
#define BATCH_NS 200000000

/* Size of the first batch; paced samples come one at a time. */
#define FIRST_BATCH 64

/* A real-time thread yields this part of its time. */
#define REST_PART 8

/*
 * The samples of a point are taken in batches, and each is written before the
 * next one is taken.
 */
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

	/* of batches_prepare and batches_run */
	double done;
	uint64_t *raw;
	size_t capacity; /* samples per series */
};

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

/* Allocates and touches memory for the samples of the series. */
static void
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

/*
 * Warms up, then measures until the count or the time limit is reached, the
 * backend has no more, or an interrupt arrives. False after fail(); samples up
 * to then are written.
 */
static bool
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
run_describe(struct preamble *pre)
{
	preamble_set(pre, "tool", "pcb-collect %s", program_version);
	preamble_add_command(pre);
	host_describe_date(pre);
}

/* Must be closed on every exit. */
static struct session *open_session;
static const struct backend *open_backend;

struct run_state {
	const struct collection *c;
	struct session session;
	struct preamble preamble;
	struct sample_writer writer;
	struct batches batches;
	char *default_id[NIDENTITY];
	bool begun; /* the header is written */
};

static void
close_backend(void)
{
	struct session *s = open_session;

	open_session = NULL;
	if (!s)
		return;
	if (open_backend->close)
		open_backend->close(s);
	series_make(s, 0);
}

static bool
open_device(struct run_state *r)
{
	open_session = &r->session;
	open_backend = r->c->backend;
	if (atexit(close_backend))
		die("out of memory");
	return r->c->backend->open(&r->session);
}

/* A label cannot change the kind of samples. */
static bool
check_kinds(struct run_state *r)
{
	struct session *s = &r->session;
	const char *label = labels_value(&r->c->labels, "kind");

	for (size_t i = 0; label && i < s->nseries; i++) {
		const char *kind = s->series[i].id[ID_KIND];

		if (strcmp(kind, label) != 0)
			return fail(s, STATUS_TROUBLE,
			            "-l kind=%s: the samples are '%s'", label,
			            kind);
	}
	return true;
}

static void
begin_rows(struct run_state *r)
{
	if (r->begun)
		return;
	r->writer.group = r->session.group;
	sample_writer_begin(&r->writer, &r->preamble, r->c->no_preamble);
	output_keep();
	r->begun = true;
}

static bool
measure_point(struct run_state *r, const struct point *point)
{
	if (!r->c->backend->prepare(&r->session, point))
		return false;
	batches_prepare(&r->batches);
	if (!check_kinds(r))
		return false;
	begin_rows(r);
	return batches_run(&r->batches);
}

/* Finds points that cannot be measured before the first one is. */
static bool
check_points(struct run_state *r, size_t points)
{
	const struct backend *backend = r->c->backend;

	for (size_t i = 0; backend->check && i < points; i++) {
		struct point point = sweep_point(&r->c->sweep, i);

		if (!backend->check(&r->session, &point))
			return false;
	}
	return true;
}

/* Shows the current point of a sweep. */
static void
name_point(struct run_state *r, const struct point *point, uint64_t run)
{
	uint64_t runs = r->c->request.runs;
	char *text = sweep_text(&r->c->sweep, point);

	if (runs > 1)
		xappend(&text, " ", "run=%ju of %ju", (uintmax_t)run,
		        (uintmax_t)runs);
	progress_point(&r->batches.progress, text);
}

static bool
try_first_point(struct run_state *r)
{
	const struct session *s = &r->session;
	struct trial *trial = r->c->trial;
	struct point point = sweep_point(&r->c->sweep, 0);

	r->default_id[ID_RUN] = xstrdup("1");
	r->batches.total = (double)r->c->request.count;
	if (!measure_point(r, &point))
		return false;
	for (size_t i = 0; i < s->nseries; i++)
		xappend(&trial->device, ", ", "%s",
		        sample_writer_identity(&r->writer, &s->series[i],
		                               r->default_id, ID_DEVICE));
	if (!(r->c->backend->flags & BACKEND_ANY_CPU))
		trial->cpu = sched_getcpu();
	trial->taken = r->batches.taken;
	trial->ns = r->batches.ns;
	trial->rows = r->batches.rows;
	return true;
}

static bool
measure_sweep(struct run_state *r)
{
	const struct request *request = &r->c->request;
	enum bench_group group = r->session.group;
	bool swept = group == BENCH_DMA || group == BENCH_WINDOW;
	size_t points = swept ? sweep_points(&r->c->sweep) : 1;

	if (!check_points(r, points))
		return false;
	if (r->c->trial)
		return try_first_point(r);
	r->batches.total =
	    (double)request->runs * (double)points * (double)request->count;
	for (uint64_t run = 1; run <= request->runs && !interrupt.signo;
	     run++) {
		free(r->default_id[ID_RUN]);
		r->default_id[ID_RUN] = xasprintf("%ju", (uintmax_t)run);
		for (size_t i = 0; i < points && !interrupt.signo; i++) {
			struct point point = sweep_point(&r->c->sweep, i);

			name_point(r, &point, run);
			if (!measure_point(r, &point))
				return false;
		}
	}
	return true;
}

static void
describe(struct run_state *r)
{
	const struct collection *c = r->c;
	const struct bench *bench = c->request.bench;
	struct utsname name;

	run_describe(&r->preamble);
	if (!bench->paced) {
		preamble_set(&r->preamble, "seed", "%ju",
		             (uintmax_t)c->request.seed);
		preamble_set(&r->preamble, "warmup", "%ju",
		             (uintmax_t)c->warmup);
	}
	if (!uname(&name))
		r->default_id[ID_HOST] = xstrdup(name.nodename);
	r->default_id[ID_BENCH] = xstrdup(bench->name);
}

static void
warn_if_virtual(const struct collection *c)
{
	if (c->automatic && c->backend->flags & BACKEND_VIRTUAL)
		warn("no device found here that can measure %s: the numbers "
		     "are simulated",
		     c->request.bench->name);
}

static int
finish(struct run_state *r, bool ok)
{
	struct session *s = &r->session;
	struct preamble end = {0};
	int status = ok ? STATUS_OK : s->failure.status;

	progress_clear(&r->batches.progress);
	if (!ok)
		warn("%s", s->failure.text);
	if (r->begun) {
		if (r->c->backend->end)
			r->c->backend->end(s, &end);
		sample_writer_finish(
		    &r->writer, ok && !interrupt.signo && !s->incomplete, &end);
	}
	preamble_free(&end);
	preamble_free(&r->preamble);
	for (size_t i = 0; i < NIDENTITY; i++)
		free(r->default_id[i]);
	close_backend();
	free(s->failure.text);
	free(r->batches.raw);
	if (interrupt.signo)
		end_by_signal(interrupt.signo);
	return status;
}

int
collection_run(const struct collection *c)
{
	struct run_state r = {
	    .c = c,
	    .session = {.request = &c->request,
	                .interrupted = &interrupt.pending},
	    .writer = {.bench = c->request.bench,
	               .labels = &c->labels,
	               .json = c->format == FORMAT_JSONL},
	};
	bool ok;

	r.session.preamble = &r.preamble;
	r.session.group = c->backend->flags & BACKEND_WINDOWS
	                      ? BENCH_WINDOW
	                      : c->request.bench->group;
	r.batches = (struct batches){.backend = c->backend,
	                             .session = &r.session,
	                             .writer = &r.writer,
	                             .default_id = r.default_id,
	                             .count = c->request.count,
	                             .warmup = c->warmup,
	                             .time_limit = c->time_limit};
	warn_if_virtual(c);
	if (!(c->backend->flags & BACKEND_VIRTUAL))
		record_warn();
	interrupt_on_signals();
	describe(&r);
	progress_begin(&r.batches.progress, c->quiet);
	ok = open_device(&r) && measure_sweep(&r);
	return finish(&r, ok);
}
