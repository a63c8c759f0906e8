/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Uncore and PCIe counters, through perf_event_open(2). */
#include "collect/core/backend.h"
#include "collect/host/clock.h"
#include "collect/host/describe.h"
#include "collect/host/subprocess.h"
#include "collect/pmu/open.h"
#include "collect/pmu/options.h"
#include "common/base/debug.h"
#include "common/sys/root.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_INTERVAL_NS 1000000000

static const char name[] = "pmu";

struct pmu_state {
	struct pmu_plan plan;
	struct pmu_place place; /* of the named device */
	const char *kind;
	struct pmu_reading *reading; /* one per counter */
	struct child child;
	uint64_t start, next; /* of the run; the end of its interval */
	bool counting;        /* the groups have been started */
	bool running;         /* the run has started */
	bool over;            /* the command has ended */
};

static void
probe(const struct request *request, struct findings *list)
{
	struct finding *found = findings_add(list, name);
	struct pmu_plan plan;
	char *why = pmu_plan_make(&plan, root_path("/sys"),
	                          pmu_option(request, "events"));

	finding_text(&found->name, "counters of the uncore and of PCIe");
	if (why) {
		finding_text(&found->why_not, "%s: %s", name, why);
	} else {
		found->benches = BENCH_BIT(DDIO);
		found->automatic = true;
		finding_text(&found->device, "%s", name);
	}
	free(why);
	pmu_plan_free(&plan);
}

/* Opening ------------------------------------------------------------------ */

/*
 * Records IO_LLC_WAYS of each socket, read on the CPUs that count, if the
 * register is known and readable.
 */
static void
describe_ways(struct session *s)
{
	const struct pmu_state *state = s->state;
	const struct pmu_unit *unit = state->plan.source[0].unit;
	uint64_t msr = state->plan.cpu.llc_ways_msr;

	for (size_t i = 0; msr && i < unit->n; i++) {
		char *path = xasprintf("%s/%u/msr", root_path("/dev/cpu"),
		                       unit->at[i].cpu);
		int fd = open(path, O_RDONLY | O_CLOEXEC);
		char value[32];
		uint64_t ways;

		debug(DEBUG_PMU, "%s: %s", path,
		      fd < 0 ? strerror(errno) : "opened");
		free(path);
		if (fd >= 0 &&
		    pread(fd, &ways, sizeof ways, (off_t)msr) == sizeof ways) {
			snprintf(value, sizeof value, "0x%jx", (uintmax_t)ways);
			preamble_note(s->preamble, "io_llc_ways", value,
			              unit->at[i].socket);
		}
		if (fd >= 0)
			close(fd);
	}
}

/* Finds where the named device is counted, if one was named. */
static char *
find_place(struct session *s, const char *sys)
{
	struct pmu_state *state = s->state;
	struct pmu_place *place = &state->place;
	const char *device = s->request->device;
	char *why;

	if (!device)
		return NULL;
	why = pmu_place_find(place, sys, device, pmu_option(s->request, "map"));
	if (!why && place->part < 0)
		preamble_set(s->preamble, "place", "%s socket=%s unit=%s",
		             device, place->socket, place->unit);
	else if (!why)
		preamble_set(s->preamble, "place",
		             "%s socket=%s unit=%s part=%d", device,
		             place->socket, place->unit, place->part);
	return why;
}

/* NULL, or why nothing can be counted. */
static char *
make_plan(struct session *s, const char *sys)
{
	const struct request *request = s->request;
	struct pmu_state *state = s->state;
	struct pmu_choice wanted = {.groups = pmu_option(request, "groups"),
	                            .parts = pmu_option(request, "parts"),
	                            .place =
	                                request->device ? &state->place : NULL};
	char *why =
	    pmu_plan_make(&state->plan, sys, pmu_option(request, "events"));

	if (!why)
		why = find_place(s, sys);
	return why ? why : pmu_plan_counters(&state->plan, &wanted);
}

static bool
open_pmu(struct session *s)
{
	struct pmu_state *state = xcalloc(1, sizeof *state);
	const char *sys = root_path("/sys");
	char *why;

	s->state = state;
	if (pmu_option(s->request, "map") && !s->request->device)
		return fail(s, STATUS_TROUBLE,
		            "-O map needs a device: -d pmu:BDF");
	why = make_plan(s, sys);
	if (why)
		fail(s, STATUS_ABSENT, "%s", why);
	free(why);
	if (s->failure.text)
		return false;
	state->kind = host_kind(sys);
	host_describe(s->preamble);
	describe_ways(s);
	if (!pmu_open_plan(s, &state->plan))
		return false;
	state->reading =
	    xcalloc(state->plan.counters.n, sizeof *state->reading);
	return true;
}

/* Counting ----------------------------------------------------------------- */

static void
identify(struct series *series, const struct pmu_state *state,
         const struct pmu_source *source)
{
	series_set(series, ID_KIND, "%s", state->kind);
	series_set(series, ID_SOCKET, "%s", source->at->socket);
	series_set(series, ID_UNIT, "%s", source->unit->unit);
	series_set(series, ID_EVENT, "%s", source->event->name);
	if (source->part >= 0)
		series_set(series, ID_PART, "%d", source->part);
}

static bool
prepare(struct session *s, const struct point *point)
{
	struct pmu_state *state = s->state;
	const struct pmu_counters *c = &state->plan.counters;
	size_t n = 0;

	(void)point;
	child_stop(&state->child);
	state->running = state->over = false;
	series_make(s, c->n - c->nrefused);
	for (size_t i = 0; i < c->n; i++) {
		if (c->counter[i].fd >= 0)
			identify(&s->series[n++], state,
			         &state->plan.source[i]);
	}
	return true;
}

static bool
read_counters(struct session *s)
{
	struct pmu_state *state = s->state;
	size_t at;

	return pmu_read(&state->plan.counters, state->reading, &at) ||
	       pmu_fail_at(s, &state->plan, at, "reading", STATUS_TROUBLE);
}

/* Without --interval, a command is one interval. */
static uint64_t
interval_of(const struct request *request)
{
	uint64_t interval = pmu_interval_ns(request);

	return interval || request->command ? interval : DEFAULT_INTERVAL_NS;
}

/* Discards counts from before the command starts. */
static bool
begin(struct session *s)
{
	struct pmu_state *state = s->state;
	size_t at;

	if (!state->counting && !pmu_start(&state->plan.counters, &at))
		return pmu_fail_at(s, &state->plan, at, "starting",
		                   STATUS_TROUBLE);
	state->counting = true;
	if (!read_counters(s))
		return false;
	state->running = true;
	state->start = state->next = now_ns();
	if (s->request->command &&
	    !child_start(&state->child, s->request->command))
		return fail(s, STATUS_TROUBLE, "%s: %s", *s->request->command,
		            strerror(errno));
	return true;
}

static bool
take_sample(struct session *s)
{
	struct pmu_state *state = s->state;
	const struct pmu_counters *c = &state->plan.counters;
	uint64_t time = now_ns() - state->start;
	size_t n = 0;

	if (!read_counters(s))
		return false;
	for (size_t i = 0; i < c->n; i++) {
		const struct pmu_reading *reading = &state->reading[i];
		struct series *series;
		uint64_t *raw;

		if (c->counter[i].fd < 0)
			continue;
		series = &s->series[n++];
		raw = series->raw + 4 * series->n;
		raw[0] = time;
		raw[1] = reading->value;
		raw[2] = reading->enabled;
		raw[3] = reading->running;
		series->n++;
	}
	return true;
}

/* The last interval may be shorter; its times show it. */
static bool
run(struct session *s, uint64_t want)
{
	struct pmu_state *state = s->state;
	uint64_t interval = interval_of(s->request);

	if (!state->running && !begin(s))
		return false;
	for (uint64_t i = 0; i < want && !state->over; i++) {
		state->next += interval;
		child_wait(&state->child, interval ? state->next : UINT64_MAX,
		           s->interrupted);
		state->over = state->child.ended;
		if (!take_sample(s))
			return false;
		/* Checked last: counts since begin() are kept. */
		if (*s->interrupted)
			break;
	}
	return true;
}

static void
add_to_end(struct session *s, struct preamble *end)
{
	const struct pmu_state *state = s->state;

	if (state->child.ended)
		preamble_set(end, "command_status", "%d", state->child.status);
}

static void
close_pmu(struct session *s)
{
	struct pmu_state *state = s->state;

	if (!state)
		return;
	child_stop(&state->child);
	if (state->plan.counters.calls)
		pmu_close(&state->plan.counters);
	pmu_plan_free(&state->plan);
	pmu_place_free(&state->place);
	free(state->reading);
	free(state);
	s->state = NULL;
}

const struct backend pmu_backend = {
    .name = name,
    .help = "counters of the uncore and of PCIe",
    .benches = BENCH_BIT(DDIO),
    .flags = BACKEND_ANY_CPU | BACKEND_BDF,
    .options = pmu_options,
    .bench_options = pmu_bench_options,
    .probe = probe,
    .open = open_pmu,
    .prepare = prepare,
    .run = run,
    .end = add_to_end,
    .close = close_pmu,
};
