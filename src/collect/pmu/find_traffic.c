/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --find: makes the device's traffic. */
#include "collect/pmu/find_traffic.h"

#include "collect/host/clock.h"
#include "collect/pio/safe_regs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Traffic of a command may continue for a while after its end. */
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

/* False if no register of the function is known to be safe to read. */
static bool
choose_addr(const struct pci_function *f, bool config, struct reg_addr *addr)
{
	struct safe_regs known;
	const struct reg_addr *found;

	*addr = (struct reg_addr){.bar = CONFIG_SPACE};
	if (config)
		return true;
	known = safe_regs_read();
	found = safe_regs_find(&known, f);
	if (found)
		*addr = *found;
	safe_regs_free(&known);
	return found;
}

static bool
check_awake(struct session *s, const struct pci_tree *tree,
            const struct reader *r)
{
	const char *bdf = r->function->bdf;

	return (!reader_is_suspended(tree, r) &&
	        !reader_may_suspend(tree, r)) ||
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
	struct reg_addr addr;
	char text[REG_ADDR_TEXT_MAX];

	t->tree = pci_tree_read(bus);
	f = t->tree ? pci_find(t->tree, t->bdf) : NULL;
	if (!f)
		return fail(s, STATUS_ABSENT, "%s: no such device in %s",
		            t->bdf, bus);
	if (!choose_addr(f, config, &addr))
		return fail(s, STATUS_ABSENT,
		            "%s: no register of it is known to be free of side "
		            "effects, so the CPU cannot make traffic that is "
		            "counted here: name a command that uses the "
		            "device, as in --find %s -- COMMAND",
		            t->bdf, t->bdf);
	if (!access_open(s, access_find("auto", &addr), t->tree, f, &addr,
	                 &t->reader))
		return false;
	t->reads = true;
	if (!check_awake(s, t->tree, &t->reader))
		return false;
	reg_addr_format(&addr, text);
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
		access_close(&t->reader);
	pci_tree_free(t->tree);
}
