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

static void
find_halves(const struct machine *m, struct machine_routes *r)
{
	r->first = xcalloc(m->nnodes + 2, sizeof *r->first);
	r->half = xcalloc(2 * m->nedges + 1, sizeof *r->half);
	r->by = xcalloc(m->nnodes + 1, sizeof *r->by);
	r->steps = xcalloc(m->nnodes + 1, sizeof *r->steps);
	for (size_t h = 0; h < 2 * m->nedges; h++)
		r->first[end_of(m, h) + 2]++;
	for (size_t i = 2; i < m->nnodes + 2; i++)
		r->first[i] += r->first[i - 1];
	for (size_t h = 0; h < 2 * m->nedges; h++)
		r->half[r->first[end_of(m, h) + 1]++] = h;
}

/*
 * The shortest ways, by nodes in the order of their distance. A step inside a
 * switch counts half; only inner nodes are passed.
 */
static void
walk_from(const struct machine *m, struct machine_routes *r, size_t start)
{
	size_t *at[3], n[3] = {0}, more = 0;

	for (size_t i = 0; i < 3; i++)
		at[i] = xcalloc(m->nnodes + 1, sizeof *at[i]);
	for (size_t i = 0; i < m->nnodes; i++) {
		bool here =
		    i == start || (start == MACHINE_NONE && m->node[i].memory);

		r->steps[i] = here ? 0 : UINT_MAX;
		if (here)
			at[0][n[0]++] = i;
		more += here;
	}
	for (unsigned d = 0; more; d++) {
		for (size_t k = 0; k < n[d % 3]; k++) {
			size_t i = at[d % 3][k];

			more--;
			if (r->steps[i] != d || (d && !m->node[i].inner))
				continue;
			for (size_t h = r->first[i]; h < r->first[i + 1]; h++) {
				size_t half = r->half[h] ^ 1;
				size_t to = end_of(m, half);
				unsigned far =
				    d + (m->edge[half / 2].kind == EDGE_CHIP
				             ? 1
				             : 2);

				if (far >= r->steps[to])
					continue;
				r->steps[to] = far;
				r->by[to] = half;
				at[far % 3][n[far % 3]++] = to;
				more++;
			}
		}
		n[d % 3] = 0;
	}
	for (size_t i = 0; i < 3; i++)
		free(at[i]);
	r->start = start;
	r->walked = true;
}

static const struct machine_routes *
routes_from(const struct machine *m, size_t start)
{
	if (!m->routes->first)
		find_halves(m, m->routes);
	if (!m->routes->walked || m->routes->start != start)
		walk_from(m, m->routes, start);
	return m->routes;
}

static void
add_step(struct flow *f, size_t edge, bool down)
{
	array_push(f->step, f->n, (struct route_step){edge, down});
}

/* From a node up to the root. */
static void
add_steps_up(const struct machine *m, struct flow *f, size_t node, bool down)
{
	for (; !m->node[node].root; node = machine_above(m, node))
		add_step(f, m->node[node].up, down);
}

static void
reverse(struct route_step step[], size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		struct route_step last = step[n - 1 - i];

		step[n - 1 - i] = step[i];
		step[i] = last;
	}
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
	bool memory = f->from == MACHINE_NONE || f->to == MACHINE_NONE;
	bool homeward = f->to == MACHINE_NONE; /* else away from the start */
	size_t at = homeward ? f->from : f->to, n;
	const struct machine_routes *r =
	    routes_from(m, memory ? MACHINE_NONE : f->from);

	f->n = 0;
	f->crosses = CROSS_NOTHING;
	if (at != MACHINE_NONE && r->steps[at] == UINT_MAX)
		return "no way leads from one to the other";
	for (; at != MACHINE_NONE && r->steps[at];
	     at = end_of(m, r->by[at] ^ 1))
		add_step(f, r->by[at] / 2, r->by[at] % 2 == homeward);
	if (!f->n)
		return "both ends are the same";
	if (!homeward)
		reverse(f->step, f->n);
	f->redirected = redirects(m, f);
	if (f->redirected) {
		f->n = 0;
		add_steps_up(m, f, f->from, false);
		n = f->n;
		add_steps_up(m, f, f->to, true);
		reverse(f->step + n, f->n - n);
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
 * down, 2 e + 1; caps follow, then the lines of writes and reads at nodes.
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
	bool forwarded = false;

	for (size_t i = 0; i < f->n; i++) {
		size_t edge = f->step[i].edge;
		const struct link *link = &m->edge[edge].link;
		struct link_config c = *how;
		struct wire wire;

		forwarded |=
		    m->node[end_of(m, 2 * edge + f->step[i].down)].root;
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
		c.forward = forwarded ? f->forward : 0;
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

bool
machine_uses_memory(const struct machine *m, const struct flow *f)
{
	return f->from == MACHINE_NONE || f->to == MACHINE_NONE ||
	       machine_is_memory(m, f->from) || machine_is_memory(m, f->to);
}

/* The lines of the first part of the root complex, seen from the device. */
static void
use_host(const struct machine *m, uint64_t size, const struct flow *f,
         struct taker *s)
{
	uint64_t lines = (size + CACHE_LINE - 1) / CACHE_LINE;

	for (size_t i = 0; i <= f->n; i++) {
		size_t at = node_at(m, f, f->reads ? f->n - i : i);

		if (!m->node[at].root || m->node[at].function)
			continue;
		array_push(s->use, s->n,
		           (struct use){
		               2 * (m->nedges + m->ncaps + at) + f->reads,
		               (double)(CACHE_LINE * lines) / (double)size, 0});
		return;
	}
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
set_result(const struct machine *m, const size_t number[], struct flow *f,
           const struct taker *s)
{
	bool limited = s->limit < s->n;
	size_t resource = limited ? s->use[s->limit].resource : 0;

	f->gbit_s = s->rate;
	f->limit = limited ? number[resource / 2] : MACHINE_NONE;
	resource = limited ? 2 * f->limit + resource % 2 : 0;
	if (limited && f->limit >= m->nedges + m->ncaps)
		snprintf(f->limited_by, sizeof f->limited_by, "host_lines");
	else if (limited && f->limit < m->nedges)
		snprintf(f->limited_by, sizeof f->limited_by, "%s>%s",
		         machine_name(m, end_of(m, resource)),
		         machine_name(m, end_of(m, resource ^ 1)));
	else
		snprintf(f->limited_by, sizeof f->limited_by, "%s",
		         limited ? m->cap[f->limit - m->nedges].name : "");
}

static int
by_number(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return x < y ? -1 : x > y;
}

/*
 * Numbers the edges and caps that are used anew, from 0, in the resources of
 * all uses. Returns the old numbers, and how many.
 */
static size_t *
renumber(struct taker s[], size_t nflows, size_t *n)
{
	size_t *old = NULL, *found, all = 0, at;

	for (size_t i = 0; i < nflows; i++) {
		for (size_t k = 0; k < s[i].n; k++) {
			old = with_room(old, all, sizeof *old);
			old[all++] = s[i].use[k].resource / 2;
		}
	}
	if (all)
		qsort(old, all, sizeof *old, by_number);
	*n = 0;
	for (size_t i = 0; i < all; i++) {
		if (!i || old[i] != old[*n - 1])
			old[(*n)++] = old[i];
	}
	for (size_t i = 0; i < nflows; i++) {
		for (size_t k = 0; k < s[i].n; k++) {
			struct use *use = &s[i].use[k];

			at = use->resource / 2;
			found = bsearch(&at, old, *n, sizeof *old, by_number);
			use->resource =
			    2 * (size_t)(found - old) + use->resource % 2;
		}
	}
	return old;
}

/* What a direction of an edge, or a cap, can carry. */
static double
capacity(const struct machine *m, const struct link_config *how, size_t number,
         bool down)
{
	const struct bounds *b = &how->bounds;
	struct link_config c = *how;
	const struct machine_edge *e;

	if (number >= m->nedges + m->ncaps)
		return 8e3 * CACHE_LINE * (double)b->host_lines /
		       (double)b->host_ps;
	if (number >= m->nedges)
		return m->cap[number - m->nedges].gbit_s;
	e = &m->edge[number];
	c.link = e->link;
	return e->kind == EDGE_LINK && c.link.bus == BUS_PCIE
	           ? tlp_gbit_s(&c) * e->ratio[down]
	           : e->gbit_s[down];
}

void
machine_share(const struct machine *m, const struct link_config *how,
              uint64_t size, struct flow flow[], size_t nflows)
{
	struct taker *s = xcalloc(nflows + 1, sizeof *s);
	struct fill *fill;
	size_t *number, n;

	for (size_t i = 0; i < nflows; i++) {
		use_links(m, how, size, &flow[i], &s[i]);
		if (!flow[i].n)
			continue;
		use_caps(m, &flow[i], &s[i]);
		if (how->bounds.host_lines && machine_uses_memory(m, &flow[i]))
			use_host(m, size, &flow[i], &s[i]);
	}
	number = renumber(s, nflows, &n);
	fill = xcalloc(2 * n + 1, sizeof *fill);
	for (size_t i = 0; i < 2 * n; i++)
		fill[i].can = capacity(m, how, number[i / 2], i % 2);
	share(fill, 2 * n, s, nflows);
	for (size_t i = 0; i < nflows; i++) {
		set_result(m, number, &flow[i], &s[i]);
		free(s[i].use);
	}
	free(s);
	free(fill);
	free(number);
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
