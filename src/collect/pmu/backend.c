/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Uncore and PCIe counters, by perf_event_open(2), while a command runs. */
#include "collect/pmu/pmu.h"

#include "collect/core/backend.h"
#include "collect/host/child.h"
#include "collect/host/clock.h"
#include "collect/host/describe.h"
#include "collect/host/perf_event.h"
#include "common/base/debug.h"
#include "common/base/number.h"
#include "common/base/util.h"
#include "common/sys/sysfs.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <time.h>
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

static const struct backend_option options[] = {
    {"events", "", "table of events; default that of the CPU"},
    {"groups", "", "count only these groups, such as read,write"},
    {"map", "", "file with the unit and part of each device"},
    {"parts", "", "count only these parts of a unit, such as 0,4"},
    {NULL, NULL, NULL},
};

/* The value of an option; NULL if it is empty. */
static const char *
option(const struct request *request, const char *of)
{
	const char *value = option_value(request, options, of);

	return *value ? value : NULL;
}

static void
probe(const struct request *request, struct findings *list)
{
	struct finding *found = findings_add(list, name);
	struct pmu_plan plan;
	char *why =
	    pmu_plan_make(&plan, root_path("/sys"), option(request, "events"));

	text_set(&found->name, "counters of the uncore and of PCIe");
	if (why) {
		text_set(&found->why_not, "%s: %s", name, why);
	} else {
		found->benches = BENCH_BIT(DDIO);
		found->automatic = true;
		text_set(&found->device, "%s", name);
	}
	free(why);
	pmu_plan_free(&plan);
}

/* Opening ------------------------------------------------------------------ */

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

/*
 * Fails with errno, the action ("opening") and counter `at` of the plan, and
 * the remedy. Returns false.
 */
static bool
fail_at(struct session *s, const struct pmu_plan *plan, size_t at,
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

/* Records each event once, however many units refuse it. */
static void
describe_refused(struct session *s, const struct pmu_plan *plan)
{
	const struct pmu_counters *c = &plan->counters;

	for (size_t i = 0; c->nrefused && i < plan->events.n; i++) {
		const struct pmu_event *event = &plan->events.event[i];
		const struct pmu_unit *unit = NULL; /* first that refuses it */
		size_t ncounted = 0, nrefused = 0;

		for (size_t k = 0; k < c->n; k++) {
			if (plan->source[k].event != event)
				continue;
			if (c->counter[k].fd >= 0)
				ncounted++;
			else if (!nrefused++)
				unit = plan->source[k].unit;
		}
		if (!nrefused)
			continue;
		preamble_note(s->preamble, "not_counted", event->name,
		              ncounted ? "refused by the kernel on some units"
		                       : "refused by the kernel");
		warn("%s: the kernel refuses it on %s%s", event->name,
		     unit->unit, nrefused > 1 ? " and others" : "");
	}
}

/*
 * Opens all counters of the plan, not yet counting; records in the preamble
 * which events are not counted.
 */
static bool
open_plan(struct session *s, struct pmu_plan *plan)
{
	struct pmu_counters *c = &plan->counters;
	size_t at;

	/* Each counter is a descriptor, and a large machine has thousands. */
	allow_files();
	c->calls = &pmu_kernel;
	/* Missing files or privileges are no fault of the device. */
	if (!pmu_open(c, &at))
		return fail_at(s, plan, at, "opening",
		               errno == EIO || errno == ENOMEM ? STATUS_TROUBLE
		                                               : STATUS_ABSENT);
	describe_lacking(s, plan);
	describe_refused(s, plan);
	if (c->nrefused == c->n)
		return fail(s, STATUS_ABSENT,
		            "the kernel refuses all events of the table");
	return true;
}

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
		close_file(fd);
	}
}

static bool
open_pmu(struct session *s)
{
	struct pmu_state *state = s->state;
	const char *sys = root_path("/sys"), *device = s->request->device;
	struct pmu_place *place = &state->place;
	struct pmu_choice wanted = {.groups = option(s->request, "groups"),
	                            .parts = option(s->request, "parts"),
	                            .place = device ? place : NULL};
	char *why;

	if (option(s->request, "map") && !device)
		return fail(s, STATUS_TROUBLE,
		            "-O map needs a device: -d pmu:BDF");
	why = pmu_plan_make(&state->plan, sys, option(s->request, "events"));
	/* Finds where the named device is counted. */
	if (!why && device)
		why = pmu_place_find(place, sys, device,
		                     option(s->request, "map"));
	if (!why && device && place->part < 0)
		preamble_set(s->preamble, "place", "%s socket=%s unit=%s",
		             device, place->socket, place->unit);
	else if (!why && device)
		preamble_set(s->preamble, "place",
		             "%s socket=%s unit=%s part=%d", device,
		             place->socket, place->unit, place->part);
	if (!why)
		why = pmu_plan_counters(&state->plan, &wanted);
	if (why)
		fail(s, STATUS_ABSENT, "%s", why);
	free(why);
	if (s->failure.text)
		return false;
	state->kind = host_kind(sys);
	host_describe(s->preamble);
	describe_ways(s);
	if (!open_plan(s, &state->plan))
		return false;
	state->reading =
	    xcalloc(state->plan.counters.n, sizeof *state->reading);
	return true;
}

/* Counting ----------------------------------------------------------------- */

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
		const struct pmu_source *source = &state->plan.source[i];
		struct series *series;

		if (c->counter[i].fd < 0)
			continue;
		series = &s->series[n++];
		series_set(series, ID_KIND, "%s", state->kind);
		series_set(series, ID_SOCKET, "%s", source->at->socket);
		series_set(series, ID_UNIT, "%s", source->unit->unit);
		series_set(series, ID_EVENT, "%s", source->event->name);
		if (source->part >= 0)
			series_set(series, ID_PART, "%d", source->part);
	}
	return true;
}

static bool
read_counters(struct session *s)
{
	struct pmu_state *state = s->state;
	size_t at;

	return pmu_read(&state->plan.counters, state->reading, &at) ||
	       fail_at(s, &state->plan, at, "reading", STATUS_TROUBLE);
}

/* Discards counts from before the command starts. */
static bool
begin(struct session *s)
{
	struct pmu_state *state = s->state;
	size_t at;

	if (!state->counting && !pmu_start(&state->plan.counters, &at))
		return fail_at(s, &state->plan, at, "starting", STATUS_TROUBLE);
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
	/* Nanoseconds, rounded up. A command is one interval without it: 0. */
	uint64_t interval =
	    s->request->interval / 1000 + (s->request->interval % 1000 != 0);

	if (!interval && !s->request->command)
		interval = DEFAULT_INTERVAL_NS;
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

	child_stop(&state->child);
	if (state->plan.counters.calls)
		pmu_close(&state->plan.counters);
	pmu_plan_free(&state->plan);
	pmu_place_free(&state->place);
	free(state->reading);
}

const struct backend pmu_backend = {
    .name = name,
    .help = "counters of the uncore and of PCIe",
    .state_size = sizeof(struct pmu_state),
    .benches = BENCH_BIT(DDIO),
    .flags = BACKEND_ANY_CPU | BACKEND_BDF,
    .options = options,
    .probe = probe,
    .open = open_pmu,
    .prepare = prepare,
    .run = run,
    .end = add_to_end,
    .close = close_pmu,
};

/* Counters ----------------------------------------------------------------- */

/* The kernel ------------------------------------------------------------- */

static int
kernel_open(struct perf_event_attr *attr, int cpu, int group)
{
	return perf_open(attr, -1, cpu, group);
}

static int
kernel_enable(int fd)
{
	return ioctl(fd, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
}

const struct pmu_calls pmu_kernel = {
    .open = kernel_open,
    .enable = kernel_enable,
    .read = read,
    .close = close,
};

/* Groups ----------------------------------------------------------------- */

static int
open_one(const struct pmu_counters *c, const struct pmu_counter *counter,
         int group)
{
	struct perf_event_attr attr = {
	    .type = counter->type,
	    .size = sizeof attr,
	    .config = counter->config.word[0],
	    .config1 = counter->config.word[1],
	    .config2 = counter->config.word[2],
	    .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
	                   PERF_FORMAT_TOTAL_TIME_RUNNING,
	    .disabled = group < 0,
	};

	return c->calls->open(&attr, counter->cpu, group);
}

/* Opens a counter in the group of the latest leader, else as a new leader. */
static bool
join_or_lead(struct pmu_counters *c, size_t number, size_t *latest)
{
	struct pmu_counter *counter = &c->counter[number];
	struct pmu_counter *leader = &c->counter[*latest];

	counter->fd = -1;
	if (number > *latest && leader->fd >= 0 &&
	    leader->together == counter->together &&
	    leader->cpu == counter->cpu && leader->type == counter->type &&
	    leader->members < PMU_GROUP_MAX) {
		counter->fd = open_one(c, counter, leader->fd);
		if (counter->fd >= 0) {
			counter->leader = *latest;
			leader->members++;
			return true;
		}
		if (errno != EINVAL && errno != ENOSPC)
			return false;
	}
	counter->fd = open_one(c, counter, -1);
	counter->leader = number;
	counter->members = 1;
	if (counter->fd < 0 && errno != EINVAL)
		return false;
	if (counter->fd < 0)
		c->nrefused++;
	else
		*latest = number;
	return true;
}

bool
pmu_open(struct pmu_counters *c, size_t *at)
{
	size_t latest = 0;

	c->nrefused = 0;
	for (size_t i = 0; i < c->n; i++)
		c->counter[i].fd = -1;
	for (*at = 0; *at < c->n; ++*at) {
		if (!join_or_lead(c, *at, &latest))
			return false;
	}
	return true;
}

bool
pmu_start(struct pmu_counters *c, size_t *at)
{
	for (*at = 0; *at < c->n; ++*at) {
		const struct pmu_counter *counter = &c->counter[*at];

		if (counter->fd >= 0 && counter->leader == *at &&
		    c->calls->enable(counter->fd))
			return false;
	}
	return true;
}

/* Reads the number of members, time enabled, time running, and each value. */
static bool
read_group(struct pmu_counters *c, size_t leader,
           uint64_t buffer[3 + PMU_GROUP_MAX])
{
	size_t members = c->counter[leader].members;
	size_t size = (3 + members) * sizeof *buffer;
	ssize_t got = c->calls->read(c->counter[leader].fd, buffer, size);

	/* EOF: the CPU is offline, and no other has taken its events. */
	if (!got)
		errno = ENODEV;
	else if (got > 0 && ((size_t)got != size || buffer[0] != members))
		errno = EIO;
	else
		return got > 0;
	return false;
}

bool
pmu_read(struct pmu_counters *c, struct pmu_reading to[], size_t *at)
{
	uint64_t buffer[3 + PMU_GROUP_MAX] = {0};
	size_t member = 0;

	for (*at = 0; *at < c->n; ++*at) {
		struct pmu_counter *counter = &c->counter[*at];
		struct pmu_reading now;

		to[*at] = (struct pmu_reading){0};
		if (counter->fd < 0)
			continue;
		member = counter->leader == *at ? 0 : member + 1;
		if (!member && !read_group(c, *at, buffer))
			return false;
		now = (struct pmu_reading){.value = buffer[3 + member],
		                           .enabled = buffer[1],
		                           .running = buffer[2]};
		to[*at].value = now.value - counter->last.value;
		to[*at].enabled = now.enabled - counter->last.enabled;
		to[*at].running = now.running - counter->last.running;
		counter->last = now;
	}
	return true;
}

void
pmu_close(struct pmu_counters *c)
{
	for (size_t i = c->n; i--;) {
		if (c->counter[i].fd >= 0)
			c->calls->close(c->counter[i].fd);
		c->counter[i].fd = -1;
	}
}
