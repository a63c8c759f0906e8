/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks what devices share, by the rates of transfers that run at once. */
#include "doctor/shared.h"

#include "common/machine/machine.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of a large transfer. */
#define LARGE 4096

struct devices {
	const struct machine *m;
	const bool *chosen;
	struct flow *flow; /* of each to memory, all at once */
	size_t n;
};

static const struct pci_function *
function_of(const struct machine *m, size_t node)
{
	return m->node[node].function;
}

static bool
is_chosen(const struct devices *all, size_t node)
{
	const struct pci_function *f = function_of(all->m, node);

	return !all->chosen || all->chosen[f - all->m->tree->function];
}

static struct devices
find_devices(const struct machine *m, const bool *chosen)
{
	struct link_config how = {.accounting = ACCOUNTING_TRAFFIC};
	struct devices all = {.m = m, .chosen = chosen};

	for (size_t i = 0; i < m->nnodes; i++) {
		struct flow f = {.from = i, .to = MACHINE_NONE};

		if (m->node[i].class != CLASS_OTHER && !m->node[i].root &&
		    !machine_route(m, &f))
			array_push(all.flow, all.n, f);
	}
	machine_share(m, &how, LARGE, all.flow, all.n);
	return all;
}

/*
 * Devices whose transfers at once fill one link. Two GPUs pay for it whenever
 * both work; a chipset is built like this.
 */
static void
check_uplink(struct doctor *d, const struct devices *all, size_t first)
{
	const struct machine *m = all->m;
	struct link_config how = {.accounting = ACCOUNTING_TRAFFIC};
	const struct flow *f = &all->flow[first];
	const struct pci_function *bridge;
	size_t gpus = 0, n = 0, edge = f->limit;
	struct doctor_finding *row;
	char *names = NULL;
	bool wanted = false;

	for (size_t i = 0; i < all->n; i++) {
		const struct flow *g = &all->flow[i];

		if (g->limit != edge)
			continue;
		if (i < first)
			return;
		n++;
		gpus += m->node[g->from].class == CLASS_GPU;
		wanted |= is_chosen(all, g->from);
		xappend(&names, ", ", "%s (%s)", machine_name(m, g->from),
		        doctor_short_bdf(function_of(m, g->from)));
	}
	bridge = edge < m->nedges ? function_of(m, m->edge[edge].below) : NULL;
	if (n > 1 && wanted && bridge) {
		double own =
		    machine_bound(m, &how, LARGE, m->node[f->from].up, false);

		row = doctor_add(d, "shared_uplink",
		                 gpus > 1 ? SURE_LIKELY : SURE_BY_DESIGN,
		                 gpus > 1 ? NULL : "uplink", bridge);
		doctor_say(&row->what,
		           "%s share the gen%ux%u link above this bridge, "
		           "which is narrower than their sum",
		           names, m->edge[edge].link.gen,
		           m->edge[edge].link.lanes);
		doctor_set_cost(d, row, function_of(m, f->from), f->gbit_s, own,
		                "bw_wr",
		                "writes to memory by each, all at once");
		doctor_say(&row->fix,
		           "other slots: pcb-model flows --each host --move "
		           "%s=PORT shows what one gives",
		           machine_name(m, f->from));
	}
	free(names);
}

/* GPUs, by groups that reach each other below the root complex. */
static void
check_peers(struct doctor *d, const struct devices *all)
{
	const struct machine *m = all->m;
	struct doctor_finding *row;
	size_t *group = xcalloc(all->n + 1, sizeof *group), groups = 0;
	char *text = NULL;
	bool wanted = false;

	for (size_t i = 0; i < all->n; i++) {
		char *names = NULL;

		if (group[i] || m->node[all->flow[i].from].class != CLASS_GPU)
			continue;
		group[i] = ++groups;
		for (size_t k = i; k < all->n; k++) {
			struct flow f = {.from = all->flow[i].from,
			                 .to = all->flow[k].from};

			if (m->node[f.to].class == CLASS_GPU &&
			    (k == i || (!machine_route(m, &f) && !f.crosses))) {
				group[k] = groups;
				wanted |= is_chosen(all, f.to);
				xappend(&names, " ", "%s",
				        machine_name(m, f.to));
			}
			free(f.step);
		}
		xappend(&text, " | ", "%s", names);
		free(names);
	}
	if (groups > 1 && wanted) {
		row = doctor_add(d, "peer_path", SURE_BY_DESIGN, "slots", NULL);
		doctor_say(&row->what,
		           "data between these groups of GPUs go through the "
		           "root complex: %s",
		           text);
		doctor_say(&row->cost,
		           "not in the model: what a root complex, "
		           "or the link to another socket, carries");
		doctor_say(&row->verify,
		           "nvbandwidth or p2pBandwidthLatencyTest, then "
		           "pcb-import ... | pcb-model flows --join");
	}
	free(text);
	free(group);
}

/* GPUs on a NUMA node without NIC, where another node has one. */
static void
check_nodes(struct doctor *d, const struct devices *all)
{
	const struct machine *m = all->m;
	struct doctor_finding *row;
	char *gpus = NULL, *nics = NULL;
	bool wanted = false;

	for (size_t i = 0; i < all->n; i++) {
		const struct pci_function *f =
		    function_of(m, all->flow[i].from);
		bool local = false, remote = false;

		for (size_t k = 0; k < all->n; k++) {
			const struct pci_function *nic =
			    function_of(m, all->flow[k].from);

			if (!doctor_is_nic(nic) || !doctor_is_fast(nic) ||
			    nic->node < 0 || f->node < 0)
				continue;
			local |= nic->node == f->node;
			remote |= nic->node != f->node;
			if (!i)
				xappend(&nics, ", ", "%s on node %d",
				        machine_name(m, all->flow[k].from),
				        nic->node);
		}
		if (local || !remote || !doctor_is_gpu(f))
			continue;
		wanted |= is_chosen(all, all->flow[i].from);
		xappend(&gpus, ", ", "%s on node %d",
		        machine_name(m, all->flow[i].from), f->node);
	}
	if (gpus && wanted) {
		row = doctor_add(d, "remote_node", SURE_LIKELY, NULL, NULL);
		doctor_say(&row->what, "no fast NIC is on the node of %s; %s",
		           gpus, nics);
		doctor_say(&row->cost, "not in the model: what the link "
		                       "between sockets carries");
		doctor_say(&row->fix, "put the NIC or the GPU into a slot of "
		                      "the other node");
	}
	free(gpus);
	free(nics);
}

void
shared_check(struct doctor *d, const bool *chosen)
{
	/* The machine would free its tree. */
	struct machine *m = machine_of_tree((struct pci_tree *)d->tree);
	struct devices all = find_devices(m, chosen);

	for (size_t i = 0; i < all.n; i++)
		check_uplink(d, &all, i);
	check_peers(d, &all);
	if (all.n)
		check_nodes(d, &all);
	for (size_t i = 0; i < all.n; i++)
		free(all.flow[i].step);
	free(all.flow);
	m->tree = NULL;
	machine_free(m);
}
