/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Routes transfers through a machine, and shares its links among them. */
#include "common/machine/machine.h"

#include "common/base/util.h"
#include "common/machine/share.h"

#include <math.h>
#include <pci/pci.h>
#include <stdlib.h>
#include <string.h>

const char *const crossing_names[] = {"", "root complex", "socket"};

/* Routes ------------------------------------------------------------------- */

/* The nodes at the other ends of a node's edges, and the way to each node. */
struct walk {
	const struct machine *m;
	size_t *first, *next; /* lists of half edges: 2 * edge + end */
	size_t *by;           /* half edge that led here */
	unsigned *steps;
};

static size_t
end_of(const struct machine *m, size_t half)
{
	const struct machine_edge *e = &m->edge[half / 2];

	return half % 2 ? e->above : e->below;
}

static void
list_edges(struct walk *w)
{
	size_t n = w->m->nnodes;

	for (size_t i = 0; i < n; i++) {
		w->first[i] = MACHINE_NONE;
		w->steps[i] = UINT32_MAX;
	}
	for (size_t half = 2 * w->m->nedges; half--;) {
		size_t node = end_of(w->m, half);

		w->next[half] = w->first[node];
		w->first[node] = half;
	}
}

/*
 * The shortest ways from a node; a step inside a switch counts half. Only inner
 * nodes are passed. Distances settle in the order of a queue, because the graph
 * is nearly a tree.
 */
static void
walk_from(struct walk *w, size_t from)
{
	const struct machine *m = w->m;
	size_t *queue = xcalloc(m->nnodes, sizeof *queue), head = 0, n = 1;
	bool *queued = xcalloc(m->nnodes, sizeof *queued);

	queue[0] = from;
	w->steps[from] = 0;
	for (; n; n--) {
		size_t at = queue[head];

		head = (head + 1) % m->nnodes;
		queued[at] = false;
		if (at != from && !m->node[at].inner)
			continue;
		for (size_t h = w->first[at]; h != MACHINE_NONE;
		     h = w->next[h]) {
			size_t to = end_of(m, h ^ 1);
			unsigned steps =
			    w->steps[at] +
			    (m->edge[h / 2].kind == EDGE_CHIP ? 1 : 2);

			if (steps >= w->steps[to])
				continue;
			w->steps[to] = steps;
			w->by[to] = h;
			if (!queued[to])
				queue[(head + n++ - 1) % m->nnodes] = to;
			queued[to] = true;
		}
	}
	free(queue);
	free(queued);
}

/* The nearest memory, or the top of the tree. */
static size_t
memory_near(const struct walk *w)
{
	size_t best = MACHINE_NONE;

	for (size_t i = 0; i < w->m->nnodes; i++) {
		const struct machine_node *node = &w->m->node[i];
		size_t than = best == MACHINE_NONE ? i : best;

		if (w->steps[i] == UINT32_MAX || !node->root ||
		    (!node->memory && node->up != MACHINE_NONE))
			continue;
		if (best == MACHINE_NONE ||
		    node->memory > w->m->node[than].memory ||
		    (node->memory == w->m->node[than].memory &&
		     w->steps[i] < w->steps[than]))
			best = i;
	}
	return best;
}

static void
add_step(struct flow *f, size_t edge, bool down)
{
	array_push(f->step, f->n, (struct route_step){edge, down});
}

/* Appends the way that the walk found, forwards or backwards. */
static void
add_way(struct flow *f, const struct walk *w, size_t from, size_t to,
        bool backwards)
{
	size_t begin = f->n;

	for (size_t at = to; at != from; at = end_of(w->m, w->by[at])) {
		/* The half edge is that of the end nearer to `from`. */
		bool down = w->by[at] % 2;

		add_step(f, w->by[at] / 2, down != backwards);
	}
	for (size_t i = begin, k = f->n; !backwards && i + 1 < k--; i++) {
		struct route_step step = f->step[i];

		f->step[i] = f->step[k];
		f->step[k] = step;
	}
}

/* What a route crosses, by the nodes that it passes or ends in. */
static void
set_crossing(const struct machine *m, struct flow *f)
{
	f->crosses = CROSS_NOTHING;
	for (size_t i = 0; i < f->n; i++) {
		const struct machine_edge *e = &m->edge[f->step[i].edge];

		if (e->kind == EDGE_SOCKET)
			f->crosses = CROSS_SOCKET;
		else if (f->crosses == CROSS_NOTHING &&
		         (m->node[e->above].root || m->node[e->below].root))
			f->crosses = CROSS_ROOT;
	}
}

/*
 * Whether the port of a switch by which the data enter sends them up to the
 * root: at the highest switch of a route that turns below it.
 */
static bool
redirects(const struct machine *m, const struct flow *f)
{
	for (size_t i = 1; i < f->n; i++) {
		const struct machine_edge *e = &m->edge[f->step[i - 1].edge];
		const struct pci_function *port = m->node[e->below].function;

		if (f->step[i - 1].down || !f->step[i].down)
			continue;
		return port && port->pcie.port == PORT_DOWNSTREAM &&
		       (port->registers.value[REG_ACSCTL] &
		        (f->reads ? PCI_ACS_CTRL_CMPLT_RED
		                  : PCI_ACS_CTRL_REQ_RED));
	}
	return false;
}

/* Up from one end to the root bus, and down to the other. */
static void
route_through_root(const struct machine *m, struct flow *f)
{
	size_t up = 0, at = f->to, n;

	f->n = 0;
	for (at = f->from; !m->node[at].root;
	     at = m->edge[m->node[at].up].above)
		add_step(f, m->node[at].up, false);
	up = f->n;
	for (at = f->to; !m->node[at].root; at = m->edge[m->node[at].up].above)
		add_step(f, m->node[at].up, true);
	n = f->n;
	for (; up + 1 < n; up++) {
		struct route_step step = f->step[up];

		f->step[up] = f->step[--n];
		f->step[n] = step;
	}
	f->redirected = true;
}

const char *
machine_route(const struct machine *m, struct flow *f)
{
	struct walk w = {.m = m};
	size_t device = f->from == MACHINE_NONE ? f->to : f->from;
	size_t other = f->from == MACHINE_NONE ? MACHINE_NONE : f->to;

	f->n = 0;
	f->redirected = false;
	w.first = xcalloc(m->nnodes, sizeof *w.first);
	w.next = xcalloc(2 * m->nedges + 1, sizeof *w.next);
	w.by = xcalloc(m->nnodes, sizeof *w.by);
	w.steps = xcalloc(m->nnodes, sizeof *w.steps);
	list_edges(&w);
	walk_from(&w, device);
	if (other == MACHINE_NONE)
		other = memory_near(&w);
	if (other != MACHINE_NONE && w.steps[other] != UINT32_MAX)
		add_way(f, &w, device, other, f->from == MACHINE_NONE);
	free(w.first);
	free(w.next);
	free(w.by);
	free(w.steps);
	if (!f->n)
		return device == other ? "both ends are the same"
		                       : "no way leads from one to the other";
	if (redirects(m, f))
		route_through_root(m, f);
	set_crossing(m, f);
	return NULL;
}

/* Bounds ------------------------------------------------------------------- */

/* The settings of the end that answers: a device, or the root port. */
static const struct link *
answering(const struct machine *m, const struct flow *f, size_t starter)
{
	size_t other = f->reads ? f->from : f->to, at = starter;

	if (other != MACHINE_NONE && !m->node[other].root)
		return &m->node[other].set;
	while (m->node[at].up != MACHINE_NONE && !m->node[at].root &&
	       !m->node[m->edge[m->node[at].up].above].root)
		at = m->edge[m->node[at].up].above;
	return &m->node[at].set;
}

/* How transfers that a node starts are counted on a link. */
static struct link_config
config_on(const struct machine_edge *e, const struct link *starts,
          const struct link *answers, const struct link_config *how)
{
	struct link_config c = *how;

	c.link = *starts;
	c.back = *answers;
	c.link.rcb = answers->rcb;
	c.link.gen = c.back.gen = e->link.gen;
	c.link.lanes = c.back.lanes = e->link.lanes;
	c.link.flit = c.back.flit = e->link.flit;
	return c;
}

/* What one byte of data needs on a link: with its direction, against it. */
static void
set_use(struct share_use *use, const struct link_config *c, bool reads,
        uint64_t size)
{
	struct tlp_rules rules = link_config_rules(c);
	struct tlp_sum sum = {0};
	struct wire wire;

	tlp_add(&sum, &rules, reads ? TLP_MRD : TLP_MWR, 0, size);
	wire = link_config_wire(c, &sum);
	use->forward = (reads ? wire.received : wire.sent) / (double)size;
	use->back = (reads ? wire.sent : wire.received) / (double)size;
}

double
machine_bound(const struct machine *m, const struct link_config *how,
              uint64_t size, size_t edge, bool down)
{
	const struct machine_edge *e = &m->edge[edge];
	const struct link *set = &m->node[e->below].set;
	struct flow f = {.from = down ? MACHINE_NONE : e->below,
	                 .to = down ? e->below : MACHINE_NONE,
	                 .reads = down};
	struct link_config c =
	    config_on(e, set, answering(m, &f, e->below), how);
	struct transfer t = {.size = size};

	return expect(&c, find_work(down ? "bw_rd" : "bw_wr"), &t).gbit_s;
}

/* Resources: both directions of each edge and cap, and of each crossing. */
static size_t
cap_resource(const struct machine *m, size_t cap)
{
	return 2 * (m->nedges + cap);
}

/* Which node a route is in before step i; at the end, i is n. */
static size_t
node_at(const struct machine *m, const struct flow *f, size_t i)
{
	const struct route_step *s = &f->step[i == f->n ? i - 1 : i];
	const struct machine_edge *e = &m->edge[s->edge];

	return (i == f->n) != s->down ? e->above : e->below;
}

/* The direction in which a flow uses a cap: 0, 1, or both as 2; or none, 3. */
static unsigned
use_of_cap(const struct machine *m, const struct machine_cap *cap,
           const struct flow *f)
{
	bool passed = false, into = false, out = false;

	if (cap->socket)
		return f->crosses != CROSS_SOCKET
		           ? 3
		           : node_at(m, f, 0) > node_at(m, f, f->n);
	for (size_t i = 0; i <= f->n; i++) {
		size_t at = node_at(m, f, i);

		if (passed && at == cap->to)
			return 0;
		passed |= at == cap->from;
		if (at != cap->from)
			continue;
		into |= i && !f->step[i - 1].down;
		out |= i < f->n && f->step[i].down;
	}
	if (cap->to != MACHINE_NONE)
		return 3;
	return into && out ? 2 : into ? 0 : out ? 1 : 3;
}

static void
use_caps(const struct machine *m, const struct flow *f, struct share_use *use,
         size_t *n)
{
	for (size_t i = 0; i < m->ncaps; i++) {
		unsigned way = use_of_cap(m, &m->cap[i], f);

		for (unsigned k = 0; way < 3 && k < 2; k++) {
			if (way == 2 || way == k)
				use[(*n)++] = (struct share_use){
				    cap_resource(m, i) + k, 1, 0};
		}
	}
}

/* Names what limits: a direction of a link, or a cap. */
static void
set_limit(const struct machine *m, struct flow *f, const struct share_flow *s)
{
	size_t resource = s->limit < s->n ? s->use[s->limit].resource : 0;
	const struct machine_edge *e;

	free(f->limited_by);
	f->limited_by = NULL;
	f->limit = MACHINE_NONE;
	f->gbit_s = s->rate;
	if (s->limit == s->n)
		return;
	if (resource >= 2 * (m->nedges + m->ncaps)) {
		f->limited_by = xstrdup(crossing_names[f->crosses]);
		return;
	}
	if (resource / 2 >= m->nedges) {
		f->limited_by = xstrdup(m->cap[resource / 2 - m->nedges].name);
		return;
	}
	f->limit = resource / 2;
	e = &m->edge[f->limit];
	f->limited_by = xasprintf(
	    "%s>%s", machine_name(m, resource % 2 ? e->above : e->below),
	    machine_name(m, resource % 2 ? e->below : e->above));
}

static void
use_links(const struct machine *m, const struct link_config *how, uint64_t size,
          const struct flow *f, struct share_use *use, size_t *n)
{
	size_t starter = f->reads ? f->to : f->from;
	const struct link *starts = &m->node[starter].set;
	const struct link *answers = answering(m, f, starter);

	for (size_t i = 0; i < f->n; i++) {
		size_t edge = f->step[i].edge;
		const struct machine_edge *e = &m->edge[edge];
		struct link_config c;

		if (e->kind != EDGE_LINK || e->link.bus != BUS_PCIE)
			continue;
		c = config_on(e, starts, answers, how);
		use[*n].resource = 2 * edge + f->step[i].down;
		set_use(&use[(*n)++], &c, f->reads, size);
	}
}

void
machine_share(const struct machine *m, const struct link_config *how,
              uint64_t size, struct flow flow[], size_t nflows)
{
	size_t shared = 2 * (m->nedges + m->ncaps);
	double *capacity = xcalloc(shared + 2 * nflows + 1, sizeof *capacity);
	struct share_flow *s = xcalloc(nflows + 1, sizeof *s);

	for (size_t i = 0; i < m->nedges; i++) {
		struct link_config c = *how;

		c.link = m->edge[i].link;
		if (m->edge[i].kind != EDGE_LINK || c.link.bus != BUS_PCIE)
			continue;
		for (size_t k = 0; k < 2; k++)
			capacity[2 * i + k] =
			    tlp_gbit_s(&c) * m->edge[i].ratio[k];
	}
	for (size_t i = 0; i < m->ncaps; i++)
		capacity[cap_resource(m, i)] =
		    capacity[cap_resource(m, i) + 1] = m->cap[i].gbit_s;
	for (size_t i = 0; i < nflows; i++) {
		size_t most = flow[i].n + 2 * m->ncaps + 1;
		struct share_use *use = xcalloc(most, sizeof *use);

		use_links(m, how, size, &flow[i], use, &s[i].n);
		use_caps(m, &flow[i], use, &s[i].n);
		if (flow[i].most_gbit_s > 0) {
			capacity[shared + 2 * i] = flow[i].most_gbit_s;
			use[s[i].n++] =
			    (struct share_use){shared + 2 * i, 1, 0};
		}
		s[i].use = use;
	}
	share(capacity, shared + 2 * nflows, s, nflows);
	for (size_t i = 0; i < nflows; i++) {
		set_limit(m, &flow[i], &s[i]);
		free((void *)s[i].use);
	}
	free(s);
	free(capacity);
}

void
flow_free(struct flow *f)
{
	free(f->step);
	free(f->limited_by);
}
