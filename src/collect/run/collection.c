/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/run/collection.h"

#include "collect/host/clock.h"
#include "collect/host/describe.h"
#include "collect/run/interrupt.h"
#include "collect/run/progress.h"
#include "collect/run/sample_writer.h"
#include "common/base/intmath.h"
#include "common/base/version.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

/* Samples kept between two writes, over all series. */
#define RAW_MAX ((size_t)1 << 18)

/*
 * Simulated ones: what a pipe holds, so that their reader works on them while
 * the next ones are simulated. No write can disturb these.
 */
#define SIMULATED_MAX ((size_t)1 << 13)

/* A batch should take about this long, so that progress and output flow. */
#define BATCH_NS 200000000

#define DEFAULT_WARMUP 100

/* Of its time a real-time thread leaves such a part to others. */
#define REST_PART 8

/* What must be given back on every way out. */
static struct session *open_session;
static const struct backend *open_backend;

struct run_state {
	const struct collection *c;
	struct session session;
	struct preamble preamble;
	struct rows rows;
	struct progress progress;
	char *fallback[NIDENTITY];
	uint64_t *raw;
	size_t capacity; /* samples of each series */
	uint64_t count;
	double done, total; /* transactions, for progress */
	bool begun;         /* the header is out */
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

/*
 * Every row says of what kind it is, and what a backend knows about that
 * stands: a label can only tell what the backend does not know.
 */
static bool
check_kinds(struct run_state *r)
{
	struct session *s = &r->session;

	for (size_t i = 0; i < s->nseries; i++) {
		const char *known = s->series[i].id[ID_KIND];
		const char *kind = rows_identity(&r->rows, &s->series[i],
		                                 r->fallback, ID_KIND);

		if (!*kind)
			return fail(s, STATUS_TROUBLE,
			            "%s does not say of what kind its samples "
			            "are: name it, as in -l kind=measured",
			            s->request->which);
		if (known && strcmp(known, kind) != 0)
			return fail(s, STATUS_TROUBLE,
			            "-l kind=%s: the samples are '%s'", kind,
			            known);
	}
	return true;
}

static void
begin_rows(struct run_state *r)
{
	if (r->begun)
		return;
	rows_begin(&r->rows, &r->preamble, r->c->no_preamble);
	r->begun = true;
}

/* Writes what the last call of run has left, and counts it. */
static bool
write_samples(struct run_state *r)
{
	struct session *s = &r->session;
	bool any = false;

	for (size_t i = 0; i < s->nseries; i++) {
		if (!s->series[i].n)
			continue;
		any = true;
		rows_series(&r->rows, &s->series[i], r->fallback);
		rows_write(&r->rows, s->series[i].raw, s->series[i].n);
	}
	if (any && fflush(stdout))
		check_stdout();
	return any;
}

static bool
run_backend(struct run_state *r, uint64_t want)
{
	struct session *s = &r->session;

	for (size_t i = 0; i < s->nseries; i++)
		s->series[i].n = 0;
	return r->c->backend->run(s, want);
}

/* The next batch: as many as take BATCH_NS, going by the last one. */
static uint64_t
next_batch(uint64_t last, uint64_t took_ns)
{
	uint64_t next = last * BATCH_NS / (took_ns + 1);

	if (next > 8 * last)
		next = 8 * last;
	return next ? next : 1;
}

/* Samples that come when it is time for them, one after the other. */
static bool
is_paced(const struct collection *c)
{
	return c->request.bench->initiator == BY_OTHERS;
}

static uint64_t
warmup_of(const struct collection *c)
{
	if (c->warmup_given)
		return c->warmup;
	if (c->backend->few)
		return 1;
	if (c->request.bench->totals && c->backend->steady)
		return 0;
	return c->backend->recorded || is_paced(c) ? 0 : DEFAULT_WARMUP;
}

/* Room for what is taken at once, touched before anything is timed. */
static void
share_memory(struct run_state *r)
{
	struct session *s = &r->session;
	size_t width = r->c->request.bench->width;
	uint64_t warmup = warmup_of(r->c);
	size_t most = r->c->backend->simulates ? SIMULATED_MAX : RAW_MAX;

	r->capacity = least(r->count > warmup ? r->count : warmup,
	                    most / (s->nseries ? s->nseries : 1));
	if (r->capacity < 64)
		r->capacity = 64;
	free(r->raw);
	r->raw = xcalloc(r->capacity * s->nseries, width * sizeof *r->raw);
	memset(r->raw, 0xff, r->capacity * s->nseries * width * sizeof *r->raw);
	for (size_t i = 0; i < s->nseries; i++)
		s->series[i].raw = r->raw + i * r->capacity * width;
}

static bool
warm_up(struct run_state *r)
{
	uint64_t n = warmup_of(r->c);
	bool totals = r->c->request.bench->totals;

	while (n && !stop.now) {
		uint64_t want = totals ? n : least(n, r->capacity);

		if (!run_backend(r, want))
			return false;
		n -= want;
	}
	return true;
}

/*
 * From a real-time thread the kernel takes the CPU for 50 ms of a second,
 * sched(7): now, and not in the midst of a sample.
 */
static void
take_rest(uint64_t worked_ns)
{
	uint64_t ns = least(worked_ns, 5 * (uint64_t)BATCH_NS) / REST_PART;
	const struct timespec pause = {.tv_nsec = (long)ns};
	int policy = sched_getscheduler(0);

	if (policy == SCHED_FIFO || policy == SCHED_RR)
		nanosleep(&pause, NULL);
}

static bool
measure(struct run_state *r)
{
	/* Totals are one sample, unless they were recorded. */
	bool totals = r->c->request.bench->totals && !r->c->backend->recorded;
	uint64_t batch = is_paced(r->c) ? 1 : 64;

	for (uint64_t left = r->count; left && !stop.now;) {
		uint64_t want = least(left, totals ? left : batch);
		uint64_t start = now_ns();
		bool ok = run_backend(r, want);
		uint64_t took = now_ns() - start;

		batch = least(next_batch(want, took), r->capacity);
		if (!write_samples(r) || !ok)
			return ok;
		take_rest(took);
		left -= want;
		r->done += (double)want;
		progress_show(&r->progress, r->done / r->total);
	}
	return true;
}

static bool
measure_point(struct run_state *r, const struct point *point)
{
	double done = r->done;
	bool ok;

	if (!r->c->backend->prepare(&r->session, point))
		return false;
	share_memory(r);
	if (!check_kinds(r))
		return false;
	begin_rows(r);
	if (!warm_up(r))
		return false;
	stop_after(r->c->time_limit);
	ok = measure(r);
	stop_after(0);
	r->done = done + (double)r->count;
	return ok;
}

/* A point that cannot be measured should not be found out hours later. */
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

static bool
measure_sweep(struct run_state *r)
{
	bool swept = r->c->request.bench->initiator == BY_DEVICE &&
	             !r->c->backend->recorded;
	size_t points = swept ? sweep_points(&r->c->sweep) : 1;

	if (!check_points(r, points))
		return false;
	r->total =
	    (double)r->c->request.runs * (double)points * (double)r->count;
	for (uint64_t run = 1; run <= r->c->request.runs && !stop.caught;
	     run++) {
		free(r->fallback[ID_RUN]);
		r->fallback[ID_RUN] = xasprintf("%ju", (uintmax_t)run);
		for (size_t i = 0; i < points && !stop.caught; i++) {
			struct point point = sweep_point(&r->c->sweep, i);

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
	struct preamble *pre = &r->preamble;
	struct utsname name;

	preamble_set(pre, "tool", "pcb-collect %s", program_version);
	preamble_add_command(pre);
	host_describe_date(pre);
	if (!c->backend->recorded && !is_paced(c)) {
		preamble_set(pre, "seed", "%ju", (uintmax_t)c->request.seed);
		preamble_set(pre, "warmup", "%ju", (uintmax_t)warmup_of(c));
	}
	if (!c->backend->recorded && !uname(&name))
		r->fallback[ID_HOST] = xstrdup(name.nodename);
	r->fallback[ID_BENCH] = xstrdup(c->request.bench->name);
}

static void
warn_if_simulated(const struct collection *c)
{
	if (c->automatic && c->backend->simulates)
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

	progress_clear(&r->progress);
	if (!ok)
		warn("%s", s->failure.text);
	if (r->begun) {
		if (r->c->backend->end)
			r->c->backend->end(s, &end);
		rows_finish(&r->rows, ok && !stop.caught && !s->incomplete,
		            &end);
	}
	preamble_free(&end);
	preamble_free(&r->preamble);
	for (size_t i = 0; i < NIDENTITY; i++)
		free(r->fallback[i]);
	close_backend();
	free(s->failure.text);
	free(r->raw);
	if (stop.caught)
		end_by_signal(stop.caught);
	return status;
}

/* Samples of each series: what was asked for, or all there are. */
static uint64_t
count_of(const struct collection *c)
{
	if (c->request.count)
		return c->request.count;
	if (c->backend->recorded || c->request.command)
		return UINT64_MAX;
	return c->backend->few ? c->backend->few
	                       : c->request.bench->default_count;
}

int
collect(const struct collection *c)
{
	struct run_state r = {
	    .c = c,
	    .session = {.request = &c->request, .halt = &stop.now},
	    .rows = {.bench = c->request.bench, .labels = &c->labels},
	};
	bool ok;

	r.session.preamble = &r.preamble;
	r.count = count_of(c);
	warn_if_simulated(c);
	stop_by_signals();
	describe(&r);
	progress_begin(&r.progress, c->quiet);
	ok = open_device(&r) && measure_sweep(&r);
	return finish(&r, ok);
}
