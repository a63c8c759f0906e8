/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks the hypervisor, and what devices share. */
#include "doctor/machine.h"

#include "common/machine/machine.h"
#include "common/sys/sysfs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of a large transfer. */
#define LARGE 4096

/* Length of a list of devices at which it ends in "...". */
#define LONG 300

/* A link, and the devices whose transfers it limits. */
struct shared {
	size_t n, gpus, first; /* first: one of the flows */
	char *names;
	bool wanted;
};

struct devices {
	const struct machine *m;
	struct flow *flow; /* of each to memory, all at once */
	double *own;       /* rate of its link alone */
	size_t n;
};

static const struct pci_function *
function_of(const struct devices *all, size_t flow)
{
	return all->m->node[all->flow[flow].from].function;
}

/* Whether a list has room for one more; if not, it ends in "...". */
static bool
has_room(char **list, const char *between)
{
	size_t n = *list ? strlen(*list) : 0;

	if (n >= LONG && (*list)[n - 1] != '.')
		xappend(list, between, "...");
	return n < LONG;
}

static struct devices
find_devices(const struct machine *m)
{
	struct link_config how = {.accounting = ACCOUNTING_TRAFFIC};
	struct devices all = {.m = m};
	size_t *whole;

	all.flow = xcalloc(m->nnodes + 1, sizeof *all.flow);
	for (size_t i = 0; i < m->nnodes; i++) {
		struct flow f = {.from = i, .to = MACHINE_NONE};

		if (m->node[i].class == CLASS_OTHER || m->node[i].root)
			continue;
		for (size_t at = i; !m->node[at].root;
		     at = m->edge[m->node[at].up].above)
			array_push(f.step, f.n,
			           (struct route_step){m->node[at].up, false});
		all.flow[all.n++] = f;
	}
	all.own = xcalloc(all.n + 1, sizeof *all.own);
	whole = xcalloc(all.n + 1, sizeof *whole);
	for (size_t i = 0; i < all.n; i++) {
		whole[i] = all.flow[i].n;
		all.flow[i].n = 1;
	}
	machine_share(m, &how, LARGE, all.flow, all.n);
	for (size_t i = 0; i < all.n; i++) {
		all.own[i] = all.flow[i].gbit_s;
		all.flow[i].n = whole[i];
	}
	free(whole);
	machine_share(m, &how, LARGE, all.flow, all.n);
	return all;
}

/*
 * Devices whose transfers at once fill one link. Two GPUs pay for it whenever
 * both work; a chipset is built like this.
 */
static void
check_link(struct doctor *d, const struct devices *all, size_t edge,
           const struct shared *s)
{
	const struct machine *m = all->m;
	const struct flow *f = &all->flow[s->first];
	struct doctor_finding *row = doctor_add(
	    d, "shared_uplink", s->gpus > 1 ? SURE_LIKELY : SURE_BY_DESIGN,
	    "uplink", m->node[m->edge[edge].below].function,
	    "%s share the gen%ux%u link above this bridge, which is narrower "
	    "than their sum",
	    s->names, m->edge[edge].link.gen, m->edge[edge].link.lanes);

	doctor_set_cost(d, row, function_of(all, s->first), f->gbit_s,
	                all->own[s->first], "bw_wr",
	                "writes to memory by each, all at once");
	doctor_say(&row->fix,
	           "other slots: pcb-model flows --each host --move %s=PORT "
	           "shows what one gives",
	           machine_name(m, f->from));
}

static void
check_links(struct doctor *d, const struct devices *all, const bool *chosen)
{
	const struct machine *m = all->m;
	struct shared *shared = xcalloc(m->nedges + 1, sizeof *shared);

	for (size_t i = 0; i < all->n; i++) {
		const struct flow *f = &all->flow[i];
		const struct pci_function *at = function_of(all, i);
		struct shared *s;

		if (f->limit >= m->nedges)
			continue;
		s = &shared[f->limit];
		if (!s->n++)
			s->first = i;
		s->gpus += m->node[f->from].class == CLASS_GPU;
		s->wanted |= !chosen || chosen[at - m->tree->function];
		if (has_room(&s->names, ", "))
			xappend(&s->names, ", ", "%s (%s)",
			        machine_name(m, f->from), doctor_short_bdf(at));
	}
	for (size_t i = 0; i < m->nedges; i++) {
		if (shared[i].n > 1 && shared[i].wanted)
			check_link(d, all, i, &shared[i]);
		free(shared[i].names);
	}
	free(shared);
}

static void
check_shared(struct doctor *d, const bool *chosen)
{
	/* The machine would free its tree. */
	struct machine *m = machine_of_tree((struct pci_tree *)d->tree);
	struct devices all = find_devices(m);

	check_links(d, &all, chosen);
	for (size_t i = 0; i < all.n; i++)
		free(all.flow[i].step);
	free(all.flow);
	free(all.own);
	m->tree = NULL;
	machine_free(m);
}

/* Whether only hypervisors have such a function. */
static bool
is_emulated(const struct pci_function *f)
{
	return f->vendor_id == 0x1b36 || f->vendor_id == 0x1af4 ||
	       doctor_is_named(f, "Red Hat") || doctor_is_named(f, "VMware") ||
	       doctor_is_named(f, "XenSource") ||
	       doctor_is_named(f, "VirtualBox") ||
	       doctor_is_named(f, "Hyper-V");
}

/* Whether the processor has the flag of a virtual one. */
static bool
has_flag(void)
{
	FILE *f = fopen(root_path("/proc/cpuinfo"), "re");
	char *line = NULL;
	size_t size = 0;
	bool has = false;

	while (f && !has && getline(&line, &size, f) > 0)
		has = !strncmp(line, "flags", 5) && strstr(line, " hypervisor");
	free(line);
	if (f)
		fclose(f);
	return has;
}

void
machine_check(struct doctor *d, const bool *chosen)
{
	bool here = d->tree->sysfs;
	char *type =
	    here ? read_first_line("%s", root_path("/sys/hypervisor/type"))
	         : NULL;
	char *uptime =
	    here ? read_first_line("%s", root_path("/proc/uptime")) : NULL;
	struct doctor_finding *row;

	d->virtual_machine = type || (here && has_flag());
	d->uptime_s = uptime ? strtod(uptime, NULL) : 0;
	free(type);
	free(uptime);
	for (size_t i = 0; i < d->tree->n && !d->virtual_machine; i++)
		d->virtual_machine = is_emulated(&d->tree->function[i]);
	if (!d->virtual_machine) {
		check_shared(d, chosen);
	} else if (here) {
		row = doctor_add(
		    d, "hypervisor", SURE_BY_DESIGN, "virtual", NULL,
		    "this machine is virtual: the hypervisor may invent "
		    "links and settings, so no link is certain");
		doctor_say(&row->fix, "run pcb-doctor on the host");
	}
}
