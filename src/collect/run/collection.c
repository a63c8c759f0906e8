/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens a device, measures every point of a sweep, closes it. */
#include "collect/run/collection.h"

#include "collect/host/record.h"
#include "collect/run/batch.h"
#include "collect/run/interrupt.h"
#include "collect/run/preamble.h"
#include "common/base/output.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

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
	batches_free(&r->batches);
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
