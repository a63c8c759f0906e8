/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens the counters of a plan and explains refusals. */
#include "collect/pmu/open.h"

#include "common/sys/root.h"
#include "common/sys/sysfs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The remedy for an error, after ": ". */
static char *
advice(int error)
{
	char *level, *text;

	if (error == EMFILE)
		return xstrdup(": allow more open files (ulimit -Hn), or count "
		               "less (-O groups, -O parts)");
	if (error != EACCES && error != EPERM)
		return xstrdup("");
	level = read_first_line(
	    "%s", root_path("/proc/sys/kernel/perf_event_paranoid"));
	text =
	    xasprintf(": counting for a whole CPU takes CAP_PERFMON, or "
	              "kernel.perf_event_paranoid=0 or less (it is %s): sysctl "
	              "kernel.perf_event_paranoid=0",
	              level ? level : "not known");
	free(level);
	return text;
}

/* Missing files or privileges are no fault of the device. */
static int
status_of(int error)
{
	return error == EIO || error == ENOMEM ? STATUS_TROUBLE : STATUS_ABSENT;
}

bool
pmu_fail_at(struct session *s, const struct pmu_plan *plan, size_t at,
            const char *doing, int status)
{
	const struct pmu_source *source = &plan->source[at];
	int error = errno;
	char *help = advice(error);

	fail(s, status, "%s %s of %s on CPU %u: %s%s", doing,
	     source->event->name, source->unit->unit, source->at->cpu,
	     strerror(error), help);
	free(help);
	return false;
}

/* Records events that the CPU lacks, or whose units the kernel hides. */
static void
describe_lacking(struct session *s, const struct pmu_plan *plan)
{
	for (size_t i = 0; i < plan->events.n; i++) {
		const struct pmu_event *event = &plan->events.event[i];
		const struct pmu_family *family =
		    pmu_plan_family(plan, event->pmu);
		char *none = xasprintf("no PMU called %s here", event->pmu);

		if (*event->why_not)
			preamble_note(s->preamble, "not_counted", event->name,
			              event->why_not);
		else if (family && !family->units.n)
			preamble_note(s->preamble, "not_counted", event->name,
			              none);
		free(none);
	}
}

/* Where an event is counted, and where the kernel refuses it. */
struct refusal {
	size_t ncounted, nrefused;
	const struct pmu_unit *unit; /* first one that refuses it */
};

static struct refusal
find_refusal(const struct pmu_plan *plan, const struct pmu_event *event)
{
	struct refusal r = {0};

	for (size_t i = 0; i < plan->counters.n; i++) {
		const struct pmu_unit *unit = plan->source[i].unit;

		if (plan->source[i].event != event)
			continue;
		if (plan->counters.counter[i].fd >= 0) {
			r.ncounted++;
		} else {
			r.nrefused++;
			r.unit = r.unit ? r.unit : unit;
		}
	}
	return r;
}

/* Records each event once, however many units refuse it. */
static void
describe_refused(struct session *s, const struct pmu_plan *plan)
{
	for (size_t i = 0; plan->counters.nrefused && i < plan->events.n; i++) {
		const struct pmu_event *event = &plan->events.event[i];
		struct refusal r = find_refusal(plan, event);

		if (!r.nrefused)
			continue;
		preamble_note(s->preamble, "not_counted", event->name,
		              r.ncounted ? "refused by the kernel on some units"
		                         : "refused by the kernel");
		warn("%s: the kernel refuses it on %s%s", event->name,
		     r.unit->unit, r.nrefused > 1 ? " and others" : "");
	}
}

bool
pmu_open_plan(struct session *s, struct pmu_plan *plan)
{
	struct pmu_counters *c = &plan->counters;
	size_t at;

	/* Each counter is a descriptor, and a large machine has thousands. */
	allow_files();
	c->calls = &pmu_kernel;
	if (!pmu_open(c, &at))
		return pmu_fail_at(s, plan, at, "opening", status_of(errno));
	describe_lacking(s, plan);
	describe_refused(s, plan);
	if (c->nrefused == c->n)
		return fail(s, STATUS_ABSENT,
		            "the kernel refuses all events of the table");
	return true;
}
