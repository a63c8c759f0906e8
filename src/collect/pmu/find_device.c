/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --find: finds the unit and part that count a device. */
#include "collect/pmu/find_device.h"

#include "collect/host/describe.h"
#include "collect/pmu/find_search.h"
#include "collect/pmu/find_traffic.h"
#include "collect/pmu/open.h"
#include "collect/pmu/options.h"
#include "common/pci/tree.h"
#include "common/sys/root.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_ROUNDS 8

struct finder {
	struct session *session;
	struct pmu_plan plan;
	struct pmu_traffic traffic;
	struct pmu_search search;
	struct pmu_place kernel; /* where the kernel reports it, if at all */
	const char *kind;
	char bdf[BDF_MAX];
};

static const char *
setting(const struct finder *f, const char *name)
{
	return pmu_option(f->session->request, name);
}

/* Preparing --------------------------------------------------------------- */

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

/* The groups that count reads of config space, other reads, or a command. */
static const char *
groups_of(const struct finder *f, bool config)
{
	const char *groups = setting(f, "groups");

	if (groups)
		return groups;
	if (f->session->request->command)
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

/* If the kernel's files name the unit, the counts must agree. */
static void
ask_kernel(struct finder *f, const char *sys)
{
	char *why = pmu_place_find(&f->kernel, sys, f->bdf, NULL);

	free(why);
}

static bool
make_plan(struct finder *f, const char *sys)
{
	struct session *s = f->session;
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
	struct session *s = f->session;
	const char *sys = root_path("/sys");

	if (setting(f, "map"))
		return fail(
		    s, STATUS_TROUBLE,
		    "-O map cannot be combined with --find, which finds it");
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

	if (f->session->show_progress)
		f->session->show_progress(f->session, done);
}

static bool
search(struct finder *f)
{
	struct session *s = f->session;
	size_t at = 0;

	f->search = (struct pmu_search){
	    .plan = &f->plan,
	    .rounds = s->request->count ? s->request->count : DEFAULT_ROUNDS,
	    .pass = pass,
	    .context = f,
	    .progress = show,
	};
	preamble_set(s->preamble, "rounds", "%ju", (uintmax_t)f->search.rounds);
	if (pmu_search_run(&f->search, &at))
		return f->search.nspots ||
		       fail(
		           s, STATUS_ABSENT,
		           "no event that is counted here distinguishes parts");
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

static bool
say_none(const struct finder *f)
{
	static const char none[] =
	    "no part counts more in all intervals with traffic";

	if (f->kernel.unit)
		return fail(f->session, STATUS_NO,
		            "%s: %s; the kernel says that it is in %s of "
		            "socket %s",
		            f->bdf, none, f->kernel.unit, f->kernel.socket);
	return fail(f->session, STATUS_NO, "%s: %s", f->bdf, none);
}

static bool
say_unclear(const struct finder *f, const struct pmu_spot *best,
            const struct pmu_spot *next)
{
	char *first = describe(best);
	char *second = describe(next);

	fail(f->session, STATUS_NO, "%s: not clear: %s, %s", f->bdf, first,
	     second);
	free(first);
	free(second);
	return false;
}

static bool
say_other(const struct finder *f, const struct pmu_spot *best)
{
	char *found = describe(best);

	fail(f->session, STATUS_NO,
	     "%s: not clear: %s, but the kernel says that it is in %s of "
	     "socket %s",
	     f->bdf, found, f->kernel.unit, f->kernel.socket);
	free(found);
	return false;
}

static void
identify(const struct finder *f, const struct pmu_spot *spot)
{
	struct session *s = f->session;

	series_make(s, 1);
	series_identify(s->series, f->kind, f->bdf, "");
	series_set(s->series, ID_SOCKET, "%s", spot->at->socket);
	series_set(s->series, ID_UNIT, "%s", spot->unit->unit);
	series_set(s->series, ID_PART, "%d", spot->part);
}

static bool
answer(const struct finder *f, double *quiet, double *busy)
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
	identify(f, best);
	*quiet = best->quiet;
	*busy = best->busy;
	return true;
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
}

bool
pmu_find(struct session *s, double *quiet, double *busy)
{
	struct finder f = {.session = s};
	bool ok;

	f.traffic =
	    (struct pmu_traffic){.session = s,
	                         .bdf = f.bdf,
	                         .interval = pmu_interval_ns(s->request)};
	parse_bdf(s->request->device, f.bdf);
	ok = prepare(&f) && search(&f) && answer(&f, quiet, busy);
	finish(&f);
	return ok;
}
