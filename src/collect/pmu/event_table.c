/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads tables of events. */
#include "collect/pmu/event_table.h"

#include "common/base/list.h"
#include "common/base/number.h"
#include "common/stream/columns.h"
#include "common/stream/table.h"
#include "common/sys/datadir.h"

#include <fnmatch.h>
#include <stdlib.h>

/* Parts are bits of a 32-bit field. */
#define PARTS_MAX 32

static unsigned
parts(const struct table *t)
{
	const char *text = need_text(t, "parts");
	uint64_t n = 0;

	if (*text && (parse_integer(text, &n) || !n || n > PARTS_MAX))
		table_die(t, need_column(t, "parts"),
		          "'%s': not a number from 1 to %d", text, PARTS_MAX);
	if (!*text != !*need_text(t, "part"))
		table_die(t, need_column(t, "parts"),
		          "part and parts belong together");
	return (unsigned)n;
}

static void
check_row(const struct table *t)
{
	static const char *const needed[] = {"group", "event"};

	for (size_t i = 0; i < ARRAY_LEN(needed); i++) {
		if (!*need_text(t, needed[i]))
			table_die(t, need_column(t, needed[i]), "empty");
	}
	if (!*need_text(t, "pmu") != !*need_text(t, "terms") ||
	    !*need_text(t, "pmu") != !!*need_text(t, "why_not"))
		table_die(t, need_column(t, "pmu"),
		          "either pmu and terms, or why_not");
}

static void
add_event(struct pmu_events *events, const struct table *t)
{
	struct pmu_event event;
	unsigned n;

	check_row(t);
	n = parts(t);
	event = (struct pmu_event){
	    .group = xstrdup(need_text(t, "group")),
	    .name = xstrdup(need_text(t, "event")),
	    .pmu = xstrdup(need_text(t, "pmu")),
	    .terms = xstrdup(need_text(t, "terms")),
	    .part_fields = xstrdup(need_text(t, "part")),
	    .parts = n,
	    .why_not = xstrdup(need_text(t, "why_not")),
	};
	array_push(events->event, events->n, event);
}

void
pmu_events_read(struct pmu_events *events, char *file)
{
	struct table *t = table_open(&file, 1);

	while (table_next(t))
		add_event(events, t);
	table_close(t);
}

void
pmu_events_free(struct pmu_events *events)
{
	for (size_t i = 0; i < events->n; i++) {
		struct pmu_event *e = &events->event[i];

		free(e->group);
		free(e->name);
		free(e->pmu);
		free(e->terms);
		free(e->part_fields);
		free(e->why_not);
	}
	free(events->event);
	*events = (struct pmu_events){0};
}

static uint64_t
msr(const struct table *t)
{
	const char *text = need_text(t, "llc_ways_msr");
	uint64_t number = 0;
	const char *why = *text ? parse_offset(text, &number) : NULL;

	if (why)
		table_refuse(t, need_column(t, "llc_ways_msr"), why);
	return number;
}

struct pmu_cpu
pmu_cpu_find(const char *modalias)
{
	char *file = share_find("cpu", "events");
	struct pmu_cpu cpu = {0};
	struct table *t;

	if (!file)
		return cpu;
	t = table_open(&file, 1);
	while (table_next(t)) {
		char *pattern = xasprintf("*:%s:*", need_text(t, "modalias"));

		if (!cpu.events && !fnmatch(pattern, modalias, 0)) {
			cpu.events = xstrdup(need_text(t, "events"));
			cpu.llc_ways_msr = msr(t);
		}
		free(pattern);
	}
	table_close(t);
	free(file);
	return cpu;
}
