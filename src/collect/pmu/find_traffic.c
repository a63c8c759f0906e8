/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/pmu/find_traffic.h"

#include "collect/host/clock.h"
#include "collect/pio/safe_regs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What a command has started may go on for a while after it. */
#define SETTLE_NS 100000000

/* Reads between two looks at the clock. */
#define BURST 64

/* A command ------------------------------------------------------------- */

static uint64_t
deadline_in(uint64_t ns)
{
	return ns ? now_ns() + ns : UINT64_MAX;
}

static void
let_pass(const struct pmu_traffic *t, uint64_t ns)
{
	struct child nobody = {0};

	child_wait(&nobody, deadline_in(ns), t->session->interrupted);
}

static bool
run_command(struct pmu_traffic *t)
{
	struct session *s = t->session;
	char *const *command = s->request->command;

	if (!child_start(&t->child, command))
		return fail(s, STATUS_TROUBLE, "%s: %s", *command,
		            strerror(errno));
	child_wait(&t->child, deadline_in(t->interval), s->interrupted);
	if (t->child.ended && t->child.status)
		return fail(s, STATUS_TROUBLE,
		            "%s: ended with status %d: it may have made no "
		            "traffic",
		            *command, t->child.status);
	child_stop(&t->child);
	let_pass(t, SETTLE_NS);
	return true;
}

/* Reads ----------------------------------------------------------------- */

static bool
read_burst(const struct reader *r)
{
	uint32_t value = UINT32_MAX;
	bool ok = true;

	for (int i = 0; ok && i < BURST; i++)
		ok = r->method->read(r, &value) && value != UINT32_MAX;
	return ok;
}

static bool
read_on(struct pmu_traffic *t)
{
	uint64_t deadline = now_ns() + t->interval;

	while (now_ns() < deadline && !*t->session->interrupted) {
		if (!read_burst(&t->reader))
			return fail(t->session, STATUS_TROUBLE,
			            "%s: it does not answer, or sleeps",
			            t->bdf);
	}
	return true;
}

/* False where no register of the function is known to be harmless. */
static bool
choose_place(const struct pci_function *f, bool config, struct place *place)
{
	struct known known;
	const struct place *found;

	*place = (struct place){.bar = CONFIG_SPACE};
	if (config)
		return true;
	known = known_read();
	found = known_find(&known, f);
	if (found)
		*place = *found;
	known_free(&known);
	return found;
}

static bool
check_awake(struct session *s, const struct pci_tree *tree,
            const struct reader *r)
{
	const char *bdf = r->function->bdf;

	return (!reader_sleeps(tree, r) && !reader_may_fall_asleep(tree, r)) ||
	       fail(s, STATUS_ABSENT,
	            "%s: it sleeps, or may fall asleep, and its memory then "
	            "does not answer: 'echo on > %s/devices/%s/power/control' "
	            "keeps it awake",
	            bdf, tree->sysfs, bdf);
}

static bool
open_reads(struct pmu_traffic *t, const char *bus, bool config)
{
	struct session *s = t->session;
	const struct pci_function *f;
	struct place place;
	char text[PLACE_TEXT_MAX];

	t->tree = pci_tree_read(bus);
	f = t->tree ? pci_find(t->tree, t->bdf) : NULL;
	if (!f)
		return fail(s, STATUS_ABSENT, "%s: no such device in %s",
		            t->bdf, bus);
	if (!choose_place(f, config, &place))
		return fail(s, STATUS_ABSENT,
		            "%s: its reads by the CPU cannot be counted here "
		            "without a register of it that is known to be free "
		            "of side effects: name a command that makes it "
		            "work, as in --find %s -- COMMAND",
		            t->bdf, t->bdf);
	if (!open_reader(s, find_method("auto", &place), t->tree, f, &place,
	                 &t->reader))
		return false;
	t->reads = true;
	if (!check_awake(s, t->tree, &t->reader))
		return false;
	place_format(&place, text);
	preamble_set(s->preamble, "traffic", "reads of %s by %s", text,
	             t->reader.method->name);
	return true;
}

/* ----------------------------------------------------------------------- */

bool
pmu_traffic_open(struct pmu_traffic *t, const char *sys, bool config)
{
	struct session *s = t->session;
	char *bus;
	bool ok;

	if (s->request->command) {
		preamble_set(s->preamble, "traffic", "command");
		return true;
	}
	if (!t->interval)
		t->interval = PMU_TRAFFIC_NS;
	bus = xasprintf("%s/bus/pci", sys);
	ok = open_reads(t, bus, config);
	free(bus);
	return ok;
}

bool
pmu_traffic_pass(struct pmu_traffic *t, bool busy)
{
	bool ok = true;

	if (busy)
		ok = t->reads ? read_on(t) : run_command(t);
	else
		let_pass(t, t->interval ? t->interval : PMU_TRAFFIC_NS);
	return ok && !*t->session->interrupted;
}

void
pmu_traffic_close(struct pmu_traffic *t)
{
	child_stop(&t->child);
	if (t->reads)
		close_reader(&t->reader);
	pci_tree_free(t->tree);
}
