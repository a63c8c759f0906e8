/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the machine as a tree of links: what each carries, and who shares. */
#include "model/flows.h"

#include "common/base/util.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A node's way to memory. */
struct place {
	struct flow way;
	size_t narrow; /* edge, or MACHINE_NONE */
	double gbit_s; /* of writes through it */
	size_t shared; /* the first edge with other devices, or MACHINE_NONE */
	bool shown;
};

struct view {
	const struct machine *m;
	const struct options *o;
	struct link_config how;
	struct place *place;
};

static bool
is_device(const struct machine *m, size_t node)
{
	return m->node[node].class != CLASS_OTHER;
}

static double
bound(const struct view *v, size_t edge, bool down)
{
	const struct machine_edge *e = &v->m->edge[edge];

	if (e->kind != EDGE_LINK || e->link.bus != BUS_PCIE)
		return NAN;
	return machine_bound(v->m, &v->how, flows_size(v->o), edge, down);
}

static void
find_place(struct view *v, size_t node)
{
	struct place *p = &v->place[node];

	p->narrow = MACHINE_NONE;
	p->gbit_s = NAN;
	p->way = (struct flow){.from = node, .to = MACHINE_NONE};
	if (v->m->node[node].root || machine_route(v->m, &p->way))
		return;
	for (size_t i = 0; i < p->way.n; i++) {
		double b = bound(v, p->way.step[i].edge, false);

		if (!isnan(b) && !(b >= p->gbit_s)) {
			p->gbit_s = b;
			p->narrow = p->way.step[i].edge;
		}
	}
}

/* Shows a node and all above it. */
static void
show(struct view *v, size_t node)
{
	v->place[node].shown = true;
	while (v->m->node[node].up != MACHINE_NONE) {
		node = v->m->edge[v->m->node[node].up].above;
		v->place[node].shown = true;
	}
}

/* Devices with -d; otherwise every end of a link, and GPUs without one. */
static void
choose(struct view *v)
{
	const struct flow_options *f = &v->o->flows;

	for (size_t i = 0; i < v->m->nnodes; i++) {
		const struct machine_node *n = &v->m->node[i];

		if (!f->devices && (is_device(v->m, i) || !n->inner) &&
		    !(n->function &&
		      (n->function->pcie.port == PORT_ROOT ||
		       n->function->pcie.port == PORT_DOWNSTREAM)))
			show(v, i);
	}
	for (size_t i = 0; i < f->ndevices; i++) {
		size_t node = machine_find(v->m, f->devices[i]);

		if (node == MACHINE_NONE) {
			warn("'%s': no such device", f->devices[i]);
			exit(STATUS_ABSENT);
		}
		show(v, node);
	}
}

/* The devices whose way to memory has this edge, without one of them. */
static char *
sharers(const struct view *v, size_t edge, size_t without)
{
	char *list = NULL;

	for (size_t i = 0; i < v->m->nnodes; i++) {
		const struct flow *way = &v->place[i].way;

		for (size_t k = 0;
		     i != without && is_device(v->m, i) && k < way->n; k++) {
			if (way->step[k].edge == edge)
				xappend(&list, " ", "%s",
				        machine_name(v->m, i));
		}
	}
	return list ? list : xstrdup("");
}

static void
find_shared(struct view *v, size_t node)
{
	struct place *p = &v->place[node];

	p->shared = MACHINE_NONE;
	for (size_t i = 0; i < p->way.n && p->shared == MACHINE_NONE; i++) {
		size_t edge = p->way.step[i].edge;
		char *with = sharers(v, edge, node);

		if (*with && v->m->edge[edge].kind == EDGE_LINK)
			p->shared = edge;
		free(with);
	}
}

/* The other devices that it reaches below the root, or would without ACS. */
static char *
peers(const struct view *v, size_t node, bool redirected)
{
	char *list = NULL;

	for (size_t i = 0; i < v->m->nnodes; i++) {
		struct flow f = {.from = node, .to = i};

		if (i == node || !is_device(v->m, i) || v->m->node[i].root ||
		    machine_route(v->m, &f)) {
			flow_free(&f);
			continue;
		}
		if (redirected ? f.redirected : !f.crosses)
			xappend(&list, " ", "%s", machine_name(v->m, i));
		flow_free(&f);
	}
	return list ? list : xstrdup("");
}

static void
link_text(const struct machine_edge *e, char text[LINK_TEXT_MAX])
{
	*text = '\0';
	if (e && e->kind == EDGE_LINK && e->link.bus == BUS_PCIE)
		snprintf(text, LINK_TEXT_MAX, "gen%ux%u", e->link.gen,
		         e->link.lanes);
}

static void
write_rows(struct out *out, const struct view *v)
{
	static const char *const names[] = {
	    "kind",        "device",        "name",         "parent",
	    "link",        "idle_link",     "bw_wr_gbit_s", "bw_rd_gbit_s",
	    "path_gbit_s", "limiting_link", "shared_link",  "shared_with",
	    "peers",       "acs_peers",     "node",
	};
	const struct machine *m = v->m;

	out_begin(out, names, ARRAY_LEN(names));
	for (size_t i = 0; i < m->nnodes; i++) {
		const struct machine_node *n = &m->node[i];
		const struct machine_edge *e =
		    n->up != MACHINE_NONE ? &m->edge[n->up] : NULL;
		const struct place *p = &v->place[i];
		char *with = is_device(m, i) && p->shared != MACHINE_NONE
		                 ? sharers(v, p->shared, i)
		                 : xstrdup("");
		char *below =
		    is_device(m, i) ? peers(v, i, false) : xstrdup("");
		char *acs = is_device(m, i) ? peers(v, i, true) : xstrdup("");
		char text[LINK_TEXT_MAX], idle[LINK_TEXT_MAX] = "";

		link_text(e, text);
		if (e && e->now)
			snprintf(idle, sizeof idle, "gen%ux%u", e->now,
			         e->link.lanes);
		if (p->shown) {
			out_text(out, "model");
			out_text(out, n->name);
			out_text(out,
			         is_device(m, i) ? machine_name(m, i) : "");
			out_text(out, e ? m->node[e->above].name : "");
			out_text(out, text);
			out_text(out, idle);
			out_double(out, e ? bound(v, n->up, false) : NAN);
			out_double(out, e ? bound(v, n->up, true) : NAN);
			out_double(out, p->gbit_s);
			out_text(out,
			         p->narrow == MACHINE_NONE
			             ? ""
			             : m->node[m->edge[p->narrow].below].name);
			out_text(out,
			         p->shared == MACHINE_NONE
			             ? ""
			             : m->node[m->edge[p->shared].below].name);
			out_text(out, with);
			out_text(out, below);
			out_text(out, acs);
			if (n->function && n->function->node >= 0)
				out_u64(out, (uint64_t)n->function->node);
			else
				out_text(out, "");
		}
		free(with);
		free(below);
		free(acs);
	}
	out_finish(out, true, NULL);
}

/* Text --------------------------------------------------------------------- */

static void
print_names(const char *before, char *list)
{
	if (*list)
		printf("%s %s", before, list);
	free(list);
}

/* A port and the device below it take one line. */
static void
print_node(const struct view *v, size_t node, unsigned depth)
{
	const struct machine *m = v->m;
	const struct machine_node *n = &m->node[node];
	const struct place *p = &v->place[node];
	double unit = v->o->bytes ? 8 : 1;
	const char *rate = v->o->bytes ? "GB/s" : "Gbit/s";
	char link[LINK_TEXT_MAX] = "";

	printf("%*s%s", (int)(2 * depth), "", machine_name(m, node));
	if (is_device(m, node) && n->function)
		printf(" %s", n->name + (strncmp(n->name, "0000:", 5) ? 0 : 5));
	if (n->up != MACHINE_NONE) {
		const struct machine_edge *e = &m->edge[n->up];

		link_text(e, link);
		if (*link)
			printf(" %s, up %.1f, down %.1f %s", link,
			       bound(v, n->up, false) / unit,
			       bound(v, n->up, true) / unit, rate);
		else if (e->kind == EDGE_LINK)
			printf(" link unknown");
		if (e->now)
			printf(" (idle at gen%u)", e->now);
	}
	if (is_device(m, node) && p->narrow != MACHINE_NONE &&
	    p->narrow != n->up)
		printf("; to memory %.1f %s by the link above %s",
		       p->gbit_s / unit, rate,
		       machine_name(m, m->edge[p->narrow].below));
	if (is_device(m, node)) {
		if (p->shared != MACHINE_NONE) {
			printf("; shares the link above %s",
			       machine_name(m, m->edge[p->shared].below));
			print_names(" with", sharers(v, p->shared, node));
		}
		print_names("; reaches below the root", peers(v, node, false));
		print_names("; ACS sends through the root:",
		            peers(v, node, true));
	}
	putchar('\n');
	for (size_t i = 0; i < m->nnodes; i++) {
		if (v->place[i].shown && m->node[i].up != MACHINE_NONE &&
		    m->edge[m->node[i].up].above == node)
			print_node(v, i, depth + 1);
	}
}

int
run_tree(struct out *out, const struct options *o)
{
	struct machine *m = flows_machine(o);
	struct view v = {.m = m, .o = o, .how = flows_counted(o)};
	struct preamble pre = {0};
	enum format format =
	    o->format == FORMAT_DEFAULT ? default_format() : o->format;

	v.place = xcalloc(m->nnodes + 1, sizeof *v.place);
	for (size_t i = 0; i < m->nnodes; i++)
		find_place(&v, i);
	for (size_t i = 0; i < m->nnodes; i++)
		find_shared(&v, i);
	choose(&v);
	if (format == FORMAT_TABLE) {
		for (size_t i = 0; i < m->nnodes; i++) {
			if (v.place[i].shown && m->node[i].up == MACHINE_NONE)
				print_node(&v, i, 0);
		}
	} else {
		preamble_set(&pre, "tool", "pcb-model %s", program_version);
		preamble_add_command(&pre);
		out->preamble = &pre;
		write_rows(out, &v);
		preamble_free(&pre);
	}
	for (size_t i = 0; i < m->nnodes; i++)
		flow_free(&v.place[i].way);
	free(v.place);
	machine_free(m);
	return STATUS_OK;
}
