/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens a device, measures every point of a sweep in batches, closes it; or
 * says how much that would be.
 */
#include "collect/run/collection.h"

#include "collect/host/clock.h"
#include "collect/host/describe.h"
#include "collect/host/restore.h"
#include "collect/run/interrupt.h"
#include "collect/run/runs.h"
#include "collect/run/sample_writer.h"
#include "common/base/intmath.h"
#include "common/stream/pretty_table.h"

#include <math.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* Most samples, of all series, between two writes. */
#define RAW_MAX ((size_t)1 << 18)

/* Target duration of a batch, which keeps progress and output going. */
#define BATCH_NS 200000000

/* Size of the first batch; paced samples come one at a time. */
#define FIRST_BATCH 64

/* A real-time thread yields this part of its time. */
#define REST_PART 8

/* Longest text of a point, so that the progress fits a line. */
#define POINT_MAX 48

/* The first part of the work is often slower and predicts no duration. */
#define FORESEEN 0.02

/* Tenths that differ by a smaller part are not worth another run. */
#define TREND_LEAST 0.01

struct run {
	const struct collection *c;
	struct session session;
	struct preamble preamble;
	struct sample_writer writer;
	char *default_id[NIDENTITY]; /* for the writer */
	bool begun;                  /* the header is written */

	/*
	 * The samples of a point are taken in batches, and each is written
	 * before the next one is taken.
	 */
	uint64_t *raw;
	size_t capacity; /* samples per series */

	struct runs runs;
	uint64_t ended; /* runs so far */
	double reach;   /* of the medians' intervals, as runs_end gives it */

	/* Transactions of all points, and those done, for a line on stderr. */
	double total, done;
	bool shows_progress, shown; /* a line must be cleared */
	uint64_t start_ns, shown_ns;
	char *point;          /* the current one, or NULL */
	struct point silence; /* the same, with --idle */
};

/* Rewrites the line, at most ten times per second. */
static void
show_progress(struct run *r)
{
	uint64_t now = now_ns();
	double seconds = (double)(now - r->start_ns) / 1e9;
	double done = r->done / r->total;

	if (!r->shows_progress || now - r->shown_ns < 100000000)
		return;
	r->shown_ns = now;
	r->shown = true;
	fprintf(stderr, "\r%s: ", program_name);
	if (r->c->until > 0 && isfinite(r->reach))
		fprintf(stderr, "within %.2g %%", 100 * r->reach);
	else if (r->c->until > 0)
		fputs("until the runs agree", stderr);
	else
		fprintf(stderr, "%.0f %%", 100 * done);
	if (r->c->until <= 0 && done >= FORESEEN)
		fprintf(stderr, ", %.0f s left", seconds / done - seconds);
	if (r->point && *r->point)
		fprintf(stderr, ", %.*s", POINT_MAX, r->point);
	fputs("\033[K", stderr);
	fflush(stderr);
}

/* Writes and counts the samples of the last run; false if there are none. */
static bool
write_samples(struct run *r)
{
	const struct session *s = &r->session;
	bool any = false;

	for (size_t i = 0; i < s->nseries; i++) {
		const struct series *series = &s->series[i];

		if (!series->n || !r->begun)
			continue;
		any = true;
		sample_writer_series(&r->writer, series);
		sample_writer_write(&r->writer, series->raw, series->n);
		runs_add(&r->runs, s->request->bench, i, series->raw,
		         series->n);
	}
	if (any && fflush(stdout))
		check_stdout();
	return any;
}

/* Returns at once at a signal. */
static void
be_silent(const struct point *point)
{
	uint64_t end = now_ns() + point->idle / 1000;
	struct timespec until = {.tv_sec = (time_t)(end / 1000000000),
	                         .tv_nsec = (long)(end % 1000000000)};

	if (!point->idle)
		return;
	if (point->idle_by == IDLE_SLEEP && !interrupt_pending)
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
	while (point->idle_by == IDLE_SPIN && !interrupt_pending &&
	       now_ns() < end)
		;
}

/* Of one series. A simulation has its own time. */
static bool
run_silently(struct run *r, uint64_t want)
{
	struct session *s = &r->session;
	struct series *series = s->series;
	uint64_t *raw = series->raw, n = 0;
	bool ok = true, waits = !(r->c->backend->flags & BACKEND_VIRTUAL);

	for (bool more = true; ok && more && n < want; n += series->n) {
		if (waits)
			be_silent(&r->silence);
		series->raw = raw + n * s->request->bench->width;
		series->n = 0;
		if (!interrupt_pending)
			ok = r->c->backend->run(s, 1);
		more = series->n;
	}
	series->raw = raw;
	series->n = n;
	return ok;
}

static bool
run_backend(struct run *r, uint64_t want)
{
	struct session *s = &r->session;

	for (size_t i = 0; i < s->nseries; i++)
		s->series[i].n = 0;
	return s->silent && !s->warming ? run_silently(r, want)
	                                : r->c->backend->run(s, want);
}

/* Allocates and touches memory for the samples of the series. */
static void
make_room(struct run *r)
{
	struct session *s = &r->session;
	size_t width = s->request->bench->width;

	r->capacity = min_u64(max_u64(s->request->count, r->c->warmup),
	                      RAW_MAX / (s->nseries ? s->nseries : 1));
	if (r->capacity < FIRST_BATCH)
		r->capacity = FIRST_BATCH;
	free(r->raw);
	r->raw = xcalloc(r->capacity * s->nseries, width * sizeof *r->raw);
	memset(r->raw, 0xff, r->capacity * s->nseries * width * sizeof *r->raw);
	for (size_t i = 0; i < s->nseries; i++)
		s->series[i].raw = r->raw + i * r->capacity * width;
}

static bool
warm_up(struct run *r)
{
	bool totals = r->session.request->bench->totals;
	uint64_t left = r->c->warmup;
	bool ok = true;

	r->session.warming = true;
	while (left && !interrupt_pending && ok) {
		uint64_t want = totals ? left : min_u64(left, r->capacity);

		ok = run_backend(r, want);
		left -= want;
	}
	r->session.warming = false;
	return ok;
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

/* The size of the next batch, for BATCH_NS at the speed of the last one. */
static uint64_t
next_batch(const struct run *r, uint64_t last, uint64_t took_ns)
{
	uint64_t next = min_u64(last * BATCH_NS / (took_ns + 1), 8 * last);

	return min_u64(max_u64(next, 1), r->capacity);
}

/*
 * Measures until the count or the time limit is reached, the backend has no
 * more, or an interrupt arrives. False after fail(); samples up to then are
 * written.
 */
static bool
measure(struct run *r)
{
	const struct bench *bench = r->session.request->bench;
	uint64_t count = r->session.request->count;
	uint64_t batch = bench->paced || r->session.silent ? 1 : FIRST_BATCH;
	double before = r->done, counted, timed;
	uint64_t begin = now_ns();

	for (uint64_t left = count; left && !interrupt_pending;) {
		/* A total is one sample. */
		uint64_t want = bench->totals ? left : min_u64(left, batch);
		uint64_t start = now_ns();
		bool ok = run_backend(r, want);
		uint64_t took = now_ns() - start;

		if (!r->session.more)
			batch = next_batch(r, want, took);
		if ((!write_samples(r) && !r->session.more) || !ok)
			return ok;
		yield_realtime(took);
		left -= want;
		/* By count or time, whichever is more. */
		counted = (double)(count - left) / (double)count;
		timed = r->c->time_limit ? 1000 * (double)(now_ns() - begin) /
		                               (double)r->c->time_limit
		                         : 0;
		r->done =
		    before + fmin(1, fmax(counted, timed)) * (double)count;
		show_progress(r);
	}
	return true;
}

void
run_describe(struct preamble *pre)
{
	char text[64];
	time_t now = time(NULL);
	struct tm utc;

	preamble_set(pre, "tool", "pcb-collect %s", program_version);
	preamble_add_command(pre);
	if (gmtime_r(&now, &utc) &&
	    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc))
		preamble_set(pre, "date", "%s", text);
}

/* Must be closed on every exit. */
static struct session *open_session;
static const struct backend *open_backend;

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
	free(s->state);
}

/* The transfers of several devices would wake what they share. */
static bool
set_silence(struct run *r, const struct point *point)
{
	struct session *s = &r->session;
	char us[NUMBER_MAX];

	if (s->nseries != 1)
		return fail(s, STATUS_TROUBLE,
		            "--idle: one device at a time, by -d");
	r->silence = *point;
	*print_ns(us, point->idle / 1000) = '\0';
	series_set(s->series, ID_IDLE, "%s", us);
	series_set(s->series, ID_IDLE_BY, "%s", idle_names[point->idle_by]);
	return true;
}

static bool
measure_point(struct run *r, const struct point *point)
{
	struct session *s = &r->session;
	const char *label = labels_value(&r->c->labels, "kind");
	double done = r->done;
	bool ok;

	if (!r->c->backend->prepare(s, point))
		return false;
	if (s->silent && !set_silence(r, point))
		return false;
	make_room(r);
	/* A label cannot change the kind of samples. */
	for (size_t i = 0; label && i < s->nseries; i++) {
		const char *kind = s->series[i].id[ID_KIND];

		if (strcmp(kind, label) != 0)
			return fail(s, STATUS_TROUBLE,
			            "-l kind=%s: the samples are '%s'", label,
			            kind);
	}
	if (!r->begun && !r->c->request.live) {
		sample_writer_begin(&r->writer, &r->preamble, r->c->no_preamble,
		                    s->series, s->nseries);
		output_keep();
		r->begun = true;
	}
	if (!warm_up(r))
		return false;
	runs_begin_point(&r->runs, s->series, s->nseries);
	interrupt_after(r->c->time_limit);
	ok = measure(r);
	interrupt_after(0);
	runs_end_point(&r->runs);
	r->done = done + (double)r->c->request.count;
	return ok;
}

static enum bench_group
group_of(const struct collection *c)
{
	return c->backend->flags & BACKEND_WINDOWS ? BENCH_WINDOW
	                                           : c->request.bench->group;
}

static bool
measure_sweep(struct run *r)
{
	const struct request *request = &r->c->request;
	const struct backend *backend = r->c->backend;
	size_t points = sweep_points(&r->c->sweep);

	r->writer.many = points > 1 || request->runs > 1;

	/* Finds points that cannot be measured before the first one is. */
	for (size_t i = 0; backend->check && i < points; i++) {
		struct point point = sweep_point(&r->c->sweep, i);

		if (!backend->check(&r->session, &point))
			return false;
	}
	r->total =
	    (double)request->runs * (double)points * (double)request->count;
	for (uint64_t run = 1; run <= request->runs && !interrupt_signal;
	     run++) {
		free(r->default_id[ID_RUN]);
		r->default_id[ID_RUN] = xasprintf("%ju", (uintmax_t)run);
		for (size_t i = 0; i < points && !interrupt_signal; i++) {
			struct point point = sweep_point(&r->c->sweep, i);

			free(r->point);
			r->point = sweep_text(&r->c->sweep, &point);
			if (request->runs > 1)
				xappend(&r->point, " ", "run=%ju of %ju",
				        (uintmax_t)run,
				        (uintmax_t)request->runs);
			show_progress(r);
			if (!measure_point(r, &point))
				return false;
		}
		if (interrupt_signal || r->c->until <= 0)
			continue;
		r->ended = run;
		r->reach = runs_end(&r->runs);
		if (r->reach <= r->c->until)
			break;
	}
	return true;
}

/* Says whether the runs agree; returns the exit status. */
static int
tell_agreement(const struct run *r)
{
	char *reach = isfinite(r->reach)
	                  ? xasprintf("within %.2g %%", 100 * r->reach)
	                  : xstrdup("not known");
	bool narrow = r->reach <= r->c->until;

	warn("%ju runs: medians are %s, 95 %% confidence%s",
	     (uintmax_t)r->ended, reach,
	     narrow ? "" : ": more runs (-r) or samples (-n) would tell more");
	free(reach);
	return narrow ? STATUS_OK : STATUS_ABSENT;
}

static void
tell_unsteady(const struct run *r)
{
	const struct steadiness *all = &r->runs.steadiness;
	bool once = r->c->request.runs == 1;
	char *which, *trend, *advice = NULL;

	if (fabs(all->trend) < TREND_LEAST)
		return;
	which = r->runs.sequences > 1
	            ? xasprintf("%zu of %zu points and runs are not steady: "
	                        "in one, ",
	                        all->unsteady, r->runs.sequences)
	            : xstrdup("not steady: ");
	trend = steadiness_text(all);
	if (!all->tenth)
		xappend(&advice, "", "--warmup %ju",
		        (uintmax_t)(r->c->warmup + all->n / 10));
	if (once)
		xappend(&advice, " or ", "-r 5");
	warn("%s%s; %ju samples with an autocorrelation of %.2f tell as much "
	     "as %.0f independent ones%s%s",
	     which, trend, (uintmax_t)all->n, all->lag1,
	     fmax(1, (double)all->n / all->spread), advice ? ": " : "",
	     advice ? advice : "");
	free(which);
	free(trend);
	free(advice);
}

static int
finish(struct run *r, bool ok)
{
	struct session *s = &r->session;
	struct preamble end = {0};
	int status = ok ? STATUS_OK : s->failure.status;

	if (r->shown) {
		fputs("\r\033[K", stderr);
		fflush(stderr);
	}
	free(r->point);
	if (!ok)
		warn("%s", s->failure.text);
	else
		tell_unsteady(r);
	if (ok && r->ended && !interrupt_signal)
		status = tell_agreement(r);
	runs_free(&r->runs);
	if (r->begun) {
		if (r->c->backend->end)
			r->c->backend->end(s, &end);
		sample_writer_finish(&r->writer,
		                     ok && !interrupt_signal && !s->incomplete,
		                     &end);
	}
	preamble_free(&end);
	preamble_free(&r->preamble);
	for (size_t i = 0; i < NIDENTITY; i++)
		free(r->default_id[i]);
	close_backend();
	if (status == STATUS_OK && guardian_failed)
		status = STATUS_TROUBLE;
	free(s->failure.text);
	free(r->raw);
	if (interrupt_signal)
		end_by_signal(interrupt_signal);
	return status;
}

int
collection_run(const struct collection *c)
{
	struct run run = {.c = c}, *r = &run;
	bool json = c->format == FORMAT_JSON || c->format == FORMAT_JSONL;
	enum format format = json ? c->format : FORMAT_CSV;
	struct utsname host;

	r->session = (struct session){.request = &c->request,
	                              .preamble = &r->preamble,
	                              .silent = c->sweep.nidles,
	                              .interrupted = &interrupt_pending};
	r->runs.compare = c->until > 0;
	r->reach = INFINITY;
	r->writer = (struct sample_writer){.bench = c->request.bench,
	                                   .group = group_of(c),
	                                   .labels = &c->labels,
	                                   .default_id = r->default_id,
	                                   .format = format,
	                                   .wide = c->wide || c->no_preamble ||
	                                           format != FORMAT_CSV};
	if (!(c->backend->flags & BACKEND_VIRTUAL))
		changes_warn_left();
	else if (c->automatic)
		warn("no device found here that can measure %s: the numbers "
		     "are simulated",
		     c->request.bench->name);
	/* A sleep of 100 us would take 150. */
	if (c->sweep.nidles)
		prctl(PR_SET_TIMERSLACK, 1UL);
	interrupt_handle();
	run_describe(&r->preamble);
	if (!c->request.bench->paced) {
		preamble_set(&r->preamble, "seed", "%ju",
		             (uintmax_t)c->request.seed);
		preamble_set(&r->preamble, "warmup", "%ju",
		             (uintmax_t)c->warmup);
	}
	if (!uname(&host))
		r->default_id[ID_HOST] = xstrdup(host.nodename);
	r->default_id[ID_BENCH] = xstrdup(c->request.bench->name);
	r->shows_progress =
	    !c->quiet && !c->request.live && isatty(STDERR_FILENO);
	r->start_ns = r->shown_ns = now_ns();
	open_session = &r->session;
	open_backend = c->backend;
	if (c->backend->state_size)
		r->session.state = xcalloc(1, c->backend->state_size);
	if (atexit(close_backend))
		die("out of memory");
	return finish(r, c->backend->open(&r->session) && measure_sweep(r));
}

static void
say(const char *name, const char *text)
{
	printf("%-9s %s\n", name, text);
}

/* What --time or the silences bound: nothing else is known before a run. */
static void
say_duration(const struct collection *c, double points)
{
	const char *bound = c->time_limit ? "at most" : "at least";
	double ps = points * (double)c->time_limit;
	bool known = c->time_limit || c->backend->flags & BACKEND_VIRTUAL;
	char *text, *words;

	for (size_t i = 0; !known && i < sweep_points(&c->sweep); i++)
		ps += (double)c->request.runs * (double)c->request.count *
		      (double)sweep_point(&c->sweep, i).idle;
	if (!(ps > 0)) {
		say("duration", "not known before it runs: --time limits it");
		return;
	}
	text = xasprintf("%.0f", ps / 1000);
	words = human_text("duration_ns", text);
	printf("%-9s %s %s\n", "duration", bound, words);
	free(text);
	free(words);
}

void
collection_tell(const struct collection *c)
{
	const struct bench *bench = c->request.bench;
	bool ends = c->time_limit || c->until > 0;
	double points = (double)sweep_points(&c->sweep), rows = 1;
	char *nodes = NULL;

	say("backend", c->backend->name);
	say("device", c->request.device ? c->request.device : "the first one");
	for (size_t i = 0; group_of(c) == BENCH_DMA && i < c->sweep.nnodes;
	     i++) {
		if (c->sweep.node[i] >= 0)
			xappend(&nodes, ", ", "%d", c->sweep.node[i]);
		else
			xappend(&nodes, ", ", "%s",
			        c->sweep.node[i] == NODE_LOCAL ? "local"
			                                       : "remote");
	}
	if (nodes)
		say("node", nodes);
	free(nodes);
	if (c->request.cpu >= 0)
		printf("%-9s %d\n", "cpu", c->request.cpu);
	printf("%-9s %.0f\n%-9s %ju%s\n", "points", points, "runs",
	       (uintmax_t)c->request.runs, c->until > 0 ? " at most" : "");
	points *= (double)c->request.runs;
	if (!bench->totals)
		rows = (double)c->request.count;
	if (bench->group == BENCH_LINKS || rows >= (double)UINT64_MAX)
		say("rows", "not known before it runs");
	else
		printf("%-9s %s%.0f%s\n", "rows", ends ? "at most " : "",
		       points * rows,
		       bench->group == BENCH_PIO        ? " of each device"
		       : bench->group == BENCH_COUNTERS ? " of each counter"
		                                        : "");
	say_duration(c, points);
}
