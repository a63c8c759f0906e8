/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/pmu/find_device.h"

#include "collect/host/describe.h"
#include "collect/pmu/find_search.h"
#include "collect/pmu/find_traffic.h"
#include "collect/pmu/open.h"
#include "collect/run/interrupt.h"
#include "collect/run/progress.h"
#include "common/base/version.h"
#include "common/pci/tree.h"
#include "common/sys/root.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define DEFAULT_ROUNDS 8

struct finder {
	const struct collection *c;
	struct session session;
	struct preamble preamble;
	struct pmu_plan plan;
	struct pmu_traffic traffic;
	struct pmu_search search;
	struct pmu_place kernel; /* where the kernel says it is, if it does */
	struct progress progress;
	const char *kind;
	char bdf[BDF_MAX];
};

static const char *
setting(const struct finder *f, const char *name)
{
	return option_or_null(&f->c->request, f->c->backend->options, name);
}

/* Getting ready ----------------------------------------------------------- */

static bool
has_group(const struct pmu_plan *plan, const char *group)
{
	for (size_t i = 0; i < plan->events.n; i++) {
		const struct pmu_event *event = &plan->events.event[i];

		if (!strcmp(event->group, group) && *event->pmu)
			return true;
	}
	return false;
}

/* What traffic of a command, reads of config space or other reads move. */
static const char *
groups_of(const struct finder *f, bool config)
{
	const char *groups = setting(f, "groups");

	if (groups)
		return groups;
	if (f->c->request.command)
		return "inbound";
	return config ? "config" : "outbound";
}

static bool
is_there(struct session *s, const char *sys, const char *bdf)
{
	char *path = xasprintf("%s/bus/pci/devices/%s", sys, bdf);
	bool there = !access(path, F_OK);

	free(path);
	return there || fail(s, STATUS_ABSENT,
	                     "%s: no such device in %s/bus/pci", bdf, sys);
}

/* Where the kernel's files tell the unit, the counts must say the same. */
static void
ask_kernel(struct finder *f, const char *sys)
{
	char *why = pmu_place_find(&f->kernel, sys, f->bdf, NULL);

	free(why);
}

static bool
make_plan(struct finder *f, const char *sys)
{
	struct session *s = &f->session;
	struct pmu_choice wanted = {.parts = setting(f, "parts")};
	char *why = pmu_plan_make(&f->plan, sys, setting(f, "events"));
	bool config = has_group(&f->plan, "config");

	wanted.groups = groups_of(f, config);
	preamble_set(s->preamble, "groups", "%s", wanted.groups);
	if (!why)
		why = pmu_plan_counters(&f->plan, &wanted);
	if (why)
		fail(s, STATUS_ABSENT, "%s", why);
	free(why);
	return !s->failure.text && pmu_traffic_open(&f->traffic, sys, config);
}

static bool
prepare(struct finder *f)
{
	struct session *s = &f->session;
	const char *sys = root_path("/sys");

	if (setting(f, "map"))
		return fail(s, STATUS_TROUBLE,
		            "-O map: it is what --find is to find");
	if (!is_there(s, sys, f->bdf))
		return false;
	ask_kernel(f, sys);
	if (!make_plan(f, sys))
		return false;
	f->kind = host_kind(sys);
	host_describe(s->preamble);
	return pmu_open_plan(s, &f->plan);
}

/* Searching ---------------------------------------------------------------- */

static bool
pass(void *context, bool busy)
{
	struct finder *f = context;

	return pmu_traffic_pass(&f->traffic, busy);
}

static void
show(void *context, double done)
{
	struct finder *f = context;

	progress_show(&f->progress, done);
}

static bool
search(struct finder *f)
{
	struct session *s = &f->session;
	size_t at = 0;

	f->search = (struct pmu_search){
	    .plan = &f->plan,
	    .rounds =
	        f->c->request.count ? f->c->request.count : DEFAULT_ROUNDS,
	    .pass = pass,
	    .context = f,
	    .progress = show,
	};
	preamble_set(s->preamble, "rounds", "%ju", (uintmax_t)f->search.rounds);
	if (pmu_search_run(&f->search, &at))
		return f->search.nspots ||
		       fail(s, STATUS_ABSENT,
		            "no event that is counted here tells one part "
		            "from another");
	if (errno == ECANCELED)
		return false;
	if (errno == ENODATA)
		return fail(s, STATUS_TROUBLE,
		            "%s of %s was not counted in an interval: make it "
		            "longer (-i), or count less (-O groups, -O parts)",
		            f->plan.source[at].event->name,
		            f->plan.source[at].unit->unit);
	return pmu_fail_at(s, &f->plan, at, "reading", STATUS_TROUBLE);
}

/* The answer --------------------------------------------------------------- */

static char *
describe(const struct pmu_spot *spot)
{
	return xasprintf("part %d of %s in socket %s (%.0f a second more)",
	                 spot->part, spot->unit->unit, spot->at->socket,
	                 pmu_spot_rise(spot));
}

static int
say_none(const struct finder *f)
{
	if (f->kernel.unit)
		warn("%s: no part counts more in all intervals with traffic; "
		     "the kernel says that it is in %s of socket %s",
		     f->bdf, f->kernel.unit, f->kernel.socket);
	else
		warn("%s: no part counts more in all intervals with traffic",
		     f->bdf);
	return STATUS_NO;
}

static int
say_unclear(const struct finder *f, const struct pmu_spot *best,
            const struct pmu_spot *next)
{
	char *first = describe(best);
	char *second = describe(next);

	warn("%s: not clear: %s, %s", f->bdf, first, second);
	free(first);
	free(second);
	return STATUS_NO;
}

static int
say_other(const struct finder *f, const struct pmu_spot *best)
{
	char *found = describe(best);

	warn("%s: not clear: %s, but the kernel says that it is in %s of "
	     "socket %s",
	     f->bdf, found, f->kernel.unit, f->kernel.socket);
	free(found);
	return STATUS_NO;
}

static void
write_row(struct finder *f, enum format format, const struct pmu_spot *spot)
{
	static const char *const columns[] = {"host",
	                                      "kind",
	                                      "device",
	                                      "socket",
	                                      "unit",
	                                      "part",
	                                      "quiet_counts_per_s",
	                                      "busy_counts_per_s"};
	struct out out = {.format = format,
	                  .no_preamble = f->c->no_preamble,
	                  .preamble = &f->preamble};
	struct utsname host;

	out_begin(&out, columns, ARRAY_LEN(columns));
	out_text(&out, uname(&host) ? "" : host.nodename);
	out_text(&out, f->kind);
	out_text(&out, f->bdf);
	out_text(&out, spot->at->socket);
	out_text(&out, spot->unit->unit);
	out_u64(&out, (uint64_t)spot->part);
	out_double(&out, spot->quiet);
	out_double(&out, spot->busy);
	out_finish(&out, true, NULL);
}

static int
answer(struct finder *f, enum format format)
{
	const struct pmu_spot *best, *next;
	const struct pmu_place *kernel = &f->kernel;
	enum pmu_verdict verdict = pmu_search_judge(&f->search, &best, &next);

	if (verdict == PMU_NONE)
		return say_none(f);
	if (verdict == PMU_UNCLEAR)
		return say_unclear(f, best, next);
	if (kernel->unit && (strcmp(kernel->unit, best->unit->unit) != 0 ||
	                     strcmp(kernel->socket, best->at->socket) != 0))
		return say_other(f, best);
	write_row(f, format, best);
	return STATUS_OK;
}

static void
finish(struct finder *f)
{
	pmu_traffic_close(&f->traffic);
	if (f->plan.counters.calls)
		pmu_close(&f->plan.counters);
	pmu_search_free(&f->search);
	pmu_plan_free(&f->plan);
	pmu_place_free(&f->kernel);
	preamble_free(&f->preamble);
	free(f->session.failure.text);
	if (interrupt.signo)
		end_by_signal(interrupt.signo);
}

int
pmu_find(const struct collection *c, enum format format)
{
	struct finder f = {.c = c,
	                   .session = {.request = &c->request,
	                               .interrupted = &interrupt.pending}};
	bool ok;
	int status;

	f.session.preamble = &f.preamble;
	f.traffic = (struct pmu_traffic){.session = &f.session, .bdf = f.bdf};
	if (c->request.interval)
		f.traffic.interval = (c->request.interval + 999) / 1000;
	parse_bdf(c->request.find, f.bdf);
	interrupt_on_signals();
	preamble_set(&f.preamble, "tool", "pcb-collect %s", program_version);
	preamble_add_command(&f.preamble);
	host_describe_date(&f.preamble);
	progress_begin(&f.progress, c->quiet);
	ok = prepare(&f) && search(&f);
	progress_clear(&f.progress);
	status = ok ? answer(&f, format) : f.session.failure.status;
	if (f.session.failure.text)
		warn("%s", f.session.failure.text);
	finish(&f);
	return status;
}
