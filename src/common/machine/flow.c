/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Routes transfers through a machine, and shares its links among them. */
#include "common/machine/machine.h"

#include "common/base/util.h"

#include <limits.h>
#include <math.h>
#include <pci/pci.h>

const char *const crossing_names[] = {"", "root complex", "socket"};

/* Routes ------------------------------------------------------------------- */

/* A half edge is 2 * edge, or 1 more for the end above. */
static size_t
end_of(const struct machine *m, size_t half)
{
	const struct machine_edge *e = &m->edge[half / 2];

	return half % 2 ? e->above : e->below;
}

/*
 * The shortest ways to a node, or to any memory: steps from each other one, and
 * the half edge by which it goes on. A step inside a switch counts half; only
 * inner nodes are passed.
 */
static void
walk_to(const struct machine *m, size_t end, unsigned steps[], size_t by[])
{
	bool more = true;

	for (size_t i = 0; i < m->nnodes; i++)
		steps[i] =
		    i == end || (end == MACHINE_NONE && m->node[i].memory)
		        ? 0
		        : UINT_MAX;
	while (more) {
		more = false;
		for (size_t h = 0; h < 2 * m->nedges; h++) {
			size_t at = end_of(m, h), from = end_of(m, h ^ 1);
			unsigned step =
			    m->edge[h / 2].kind == EDGE_CHIP ? 1 : 2;

			if (steps[at] >= UINT_MAX - 2 ||
			    (steps[at] && !m->node[at].inner) ||
			    steps[at] + step >= steps[from])
				continue;
			steps[from] = steps[at] + step;
			by[from] = h;
			more = true;
		}
	}
}

static void
add_step(struct flow *f, size_t edge, bool down)
{
	array_push(f->step, f->n, (struct route_step){edge, down});
}

/*
 * Whether the port of a switch by which the data enter sends them up to the
 * root: where the route turns.
 */
static bool
redirects(const struct machine *m, const struct flow *f)
{
	size_t i = 1;

	while (i < f->n && (f->step[i - 1].down || !f->step[i].down))
		i++;
	if (i < f->n) {
		const struct pci_function *port =
		    m->node[m->edge[f->step[i - 1].edge].below].function;

		return port && port->pcie.port == PORT_DOWNSTREAM &&
		       (port->registers.value[REG_ACSCTL] &
		        (f->reads ? PCI_ACS_CTRL_CMPLT_RED
		                  : PCI_ACS_CTRL_REQ_RED));
	}
	return false;
}

const char *
machine_route(const struct machine *m, struct flow *f)
{
	unsigned *steps = xcalloc(m->nnodes, sizeof *steps);
	size_t *by = xcalloc(m->nnodes, sizeof *by), at = f->from, n;
	bool away;

	f->n = 0;
	f->crosses = CROSS_NOTHING;
	walk_to(m, f->to, steps, by);
	for (size_t i = 0; i < m->nnodes && f->from == MACHINE_NONE; i++) {
		if (m->node[i].memory &&
		    (at == MACHINE_NONE || steps[i] < steps[at]))
			at = i;
	}
	away = at == MACHINE_NONE || steps[at] == UINT_MAX;
	for (; !away && steps[at]; at = end_of(m, by[at]))
		add_step(f, by[at] / 2, by[at] % 2 == 0);
	free(steps);
	free(by);
	if (!f->n)
		return away ? "no way leads from one to the other"
		            : "both ends are the same";
	f->redirected = redirects(m, f);
	if (f->redirected) {
		f->n = 0;
		for (at = f->from; !m->node[at].root; at = machine_above(m, at))
			add_step(f, m->node[at].up, false);
		for (at = f->to; !m->node[at].root; at = machine_above(m, at))
			add_step(f, 0, true);
		n = f->n;
		for (at = f->to; !m->node[at].root; at = machine_above(m, at))
			f->step[--n].edge = m->node[at].up;
	}
	for (size_t i = 0; i < f->n; i++) {
		const struct machine_edge *e = &m->edge[f->step[i].edge];

		if (e->kind == EDGE_SOCKET)
			f->crosses = CROSS_SOCKET;
		else if (!f->crosses &&
		         (m->node[e->above].root || m->node[e->below].root))
			f->crosses = CROSS_ROOT;
	}
	return NULL;
}

/* Rates: progressive filling ----------------------------------------------- */

/* The settings of the end that answers: a device, or the root port. */
static const struct link *
answering(const struct machine *m, size_t other, size_t at)
{
	if (other != MACHINE_NONE && !m->node[other].root)
		return &m->node[other].set;
	for (size_t above = machine_above(m, at);
	     above != MACHINE_NONE && !m->node[at].root && !m->node[above].root;
	     above = machine_above(m, at))
		at = above;
	return &m->node[at].set;
}

/*
 * What a byte of a flow takes of a direction of an edge (or cap), its resource,
 * and of the opposite one, resource ^ 1. The directions of edge e are 2 e and,
 * down, 2 e + 1; caps follow.
 */
struct use {
	size_t resource;
	double forward, back;
};

struct taker {
	struct use *use;
	size_t n;
	double rate;  /* INFINITY if it uses nothing */
	size_t limit; /* index of the use that limits it; n: none */
};

/* What a flow takes of the links on its way, for each byte of data. */
static void
use_links(const struct machine *m, const struct link_config *how, uint64_t size,
          const struct flow *f, struct taker *s)
{
	size_t starter = f->reads ? f->to : f->from;
	const struct link *answers =
	    answering(m, f->reads ? f->from : f->to, starter);

	for (size_t i = 0; i < f->n; i++) {
		size_t edge = f->step[i].edge;
		const struct link *link = &m->edge[edge].link;
		struct link_config c = *how;
		struct wire wire;

		if (m->edge[edge].gbit_s[f->step[i].down] > 0)
			array_push(
			    s->use, s->n,
			    (struct use){2 * edge + f->step[i].down, 1, 0});
		if (m->edge[edge].kind != EDGE_LINK || link->bus != BUS_PCIE)
			continue;
		c.link = m->node[starter].set;
		c.back = *answers;
		c.link.rcb = answers->rcb;
		c.link.gen = c.back.gen = link->gen;
		c.link.lanes = c.back.lanes = link->lanes;
		c.link.flit = c.back.flit = link->flit;
		wire = expect(&c, find_work(f->reads ? "bw_rd" : "bw_wr"),
		              &(struct transfer){.size = size})
		           .wire;
		array_push(
		    s->use, s->n,
		    (struct use){
		        2 * edge + f->step[i].down,
		        (f->reads ? wire.received : wire.sent) / (double)size,
		        (f->reads ? wire.sent : wire.received) / (double)size});
	}
}

/* Node i of a route. */
static size_t
node_at(const struct machine *m, const struct flow *f, size_t i)
{
	const struct route_step *s = &f->step[i == f->n ? i - 1 : i];

	return end_of(m, 2 * s->edge + ((i == f->n) != s->down));
}

/* Up into a node and down out of it, or from one node to another. */
static void
use_caps(const struct machine *m, const struct flow *f, struct taker *s)
{
	for (size_t i = 0; i < m->ncaps; i++) {
		const struct machine_cap *cap = &m->cap[i];
		bool passed = false, way[2] = {false, false};

		for (size_t k = 0; k <= f->n; k++) {
			size_t at = node_at(m, f, k);

			if (cap->to != MACHINE_NONE) {
				way[0] |= passed && at == cap->to;
			} else if (at == cap->from) {
				way[0] |=
				    k == f->n || (k && !f->step[k - 1].down);
				way[1] |= !k || (k < f->n && f->step[k].down);
			}
			passed |= at == cap->from;
		}
		for (size_t k = 0; k < 2; k++) {
			if (way[k])
				array_push(s->use, s->n,
				           (struct use){2 * (m->nedges + i) + k,
				                        1, 0});
		}
	}
}

/* A resource: what its opposite has served, and the state of one filling. */
struct fill {
	double can, served, left, load, need;
};

static double
level_of(const struct fill *f)
{
	return f->load > 0 ? fmax(f->left, 0) / f->load : INFINITY;
}

/*
 * Lets all flows without a rate grow until a resource is full, and gives those
 * that use it their rate. False if no flow grows.
 */
static bool
fill_next(struct fill fill[], size_t n, struct taker flow[], size_t nflows)
{
	double level = INFINITY;

	for (size_t r = 0; r < n; r++) {
		fill[r].left = fill[r].can - fill[r].served;
		fill[r].load = 0;
	}
	for (size_t i = 0; i < nflows; i++) {
		for (size_t k = 0; k < flow[i].n; k++) {
			struct fill *r = &fill[flow[i].use[k].resource];

			if (isinf(flow[i].rate))
				r->load += flow[i].use[k].forward;
			else
				r->left -=
				    flow[i].use[k].forward * flow[i].rate;
		}
	}
	for (size_t r = 0; r < n; r++)
		level = fmin(level, level_of(&fill[r]));
	for (size_t i = 0; i < nflows; i++) {
		for (size_t k = 0; isinf(flow[i].rate) && k < flow[i].n; k++) {
			/* Rounding must not part flows that stop together. */
			if (level_of(&fill[flow[i].use[k].resource]) <=
			    level * (1 + 1e-12)) {
				flow[i].rate = level;
				flow[i].limit = k;
			}
		}
	}
	return !isinf(level);
}

/*
 * Sets rate and limit of each flow. What flows take in the opposite direction
 * (requests, acknowledgements) is served first; of the rest, every flow gets
 * the same, except that one which a fuller resource limits leaves its part to
 * the others. So each flow has a resource that is full and on which no flow has
 * more.
 */
static void
share(struct fill fill[], size_t nresources, struct taker flow[], size_t nflows)
{
	double change = INFINITY;

	for (int round = 0; round < 60 && change > 1e-9; round++) {
		/* Large requests for little data could swing: damp that. */
		double keep = round < 8 ? 0 : 0.5;

		for (size_t i = 0; i < nflows; i++) {
			flow[i].rate = INFINITY;
			flow[i].limit = flow[i].n;
		}
		while (fill_next(fill, nresources, flow, nflows))
			;
		for (size_t r = 0; r < nresources; r++)
			fill[r].need = 0;
		for (size_t i = 0; i < nflows; i++) {
			for (size_t k = 0; k < flow[i].n; k++)
				fill[flow[i].use[k].resource ^ 1].need +=
				    flow[i].use[k].back * flow[i].rate;
		}
		change = 0;
		for (size_t r = 0; r < nresources; r++) {
			double next =
			    keep * fill[r].served + (1 - keep) * fill[r].need;

			change = fmax(change, fabs(next - fill[r].served));
			fill[r].served = next;
		}
	}
}

static void
set_result(const struct machine *m, struct flow *f, const struct taker *s)
{
	bool limited = s->limit < s->n;
	size_t resource = limited ? s->use[s->limit].resource : 0;

	f->gbit_s = s->rate;
	f->limit = limited ? resource / 2 : MACHINE_NONE;
	if (limited && f->limit < m->nedges)
		snprintf(f->limited_by, sizeof f->limited_by, "%s>%s",
		         machine_name(m, end_of(m, resource)),
		         machine_name(m, end_of(m, resource ^ 1)));
	else
		snprintf(f->limited_by, sizeof f->limited_by, "%s",
		         limited ? m->cap[f->limit - m->nedges].name : "");
}

void
machine_share(const struct machine *m, const struct link_config *how,
              uint64_t size, struct flow flow[], size_t nflows)
{
	size_t shared = 2 * (m->nedges + m->ncaps);
	struct fill *fill = xcalloc(shared + 1, sizeof *fill);
	struct taker *s = xcalloc(nflows + 1, sizeof *s);

	for (size_t i = 0; i < 2 * m->ncaps; i++)
		fill[2 * m->nedges + i].can = m->cap[i / 2].gbit_s;
	for (size_t i = 0; i < 2 * m->nedges; i++) {
		const struct machine_edge *e = &m->edge[i / 2];
		struct link_config c = *how;

		c.link = e->link;
		fill[i].can = e->kind == EDGE_LINK && c.link.bus == BUS_PCIE
		                  ? tlp_gbit_s(&c) * e->ratio[i % 2]
		                  : e->gbit_s[i % 2];
	}
	for (size_t i = 0; i < nflows; i++) {
		use_links(m, how, size, &flow[i], &s[i]);
		if (flow[i].n)
			use_caps(m, &flow[i], &s[i]);
	}
	share(fill, shared, s, nflows);
	for (size_t i = 0; i < nflows; i++) {
		set_result(m, &flow[i], &s[i]);
		free(s[i].use);
	}
	free(s);
	free(fill);
}

double
machine_bound(const struct machine *m, const struct link_config *how,
              uint64_t size, size_t edge, bool down)
{
	struct route_step step = {edge, down};
	size_t below = m->edge[edge].below;
	struct flow f = {.from = down ? MACHINE_NONE : below,
	                 .to = down ? below : MACHINE_NONE,
	                 .reads = down,
	                 .step = &step,
	                 .n = 1};

	machine_share(m, how, size, &f, 1);
	return f.gbit_s;
}
