/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the machine as a tree of links: what each carries, and who shares. */
#include "model/options.h"

#include "common/base/utf8.h"
#include "common/base/util.h"

#include <math.h>

struct tree {
	const struct machine *m;
	const struct options *o;
	struct flow *way; /* of each node, to memory */
	/*
	 * The devices whose ways have edge e are user[first[e]] and on, before
	 * those of the next edge. Ways between two nodes with the same part
	 * need not pass a root complex; its first one is at `head`, by the
	 * part, and the next ones at `next`.
	 */
	size_t *first, *user, *part, *head, *next;
	bool *shown;
};

/* The text and rates that a row of the tree shows for a node. */
struct about {
	char link[16], idle[16], best[16];
	double up, down, least;
	size_t narrow, shared; /* nodes below those links; or MACHINE_NONE */
	char *sharers, *peers, *acs; /* a blank before each; or NULL */
};

static void
find_users(struct tree *t)
{
	size_t n = t->m->nedges, steps = 0;

	t->first = xcalloc(n + 2, sizeof *t->first);
	for (size_t i = 0; i < t->m->nnodes; i++) {
		size_t of = t->m->node[i].class ? t->way[i].n : 0;

		for (size_t k = 0; k < of; k++)
			t->first[t->way[i].step[k].edge + 2]++;
		steps += of;
	}
	for (size_t e = 2; e < n + 2; e++)
		t->first[e] += t->first[e - 1];
	t->user = xcalloc(steps + 1, sizeof *t->user);
	for (size_t i = 0; i < t->m->nnodes; i++) {
		size_t of = t->m->node[i].class ? t->way[i].n : 0;

		for (size_t k = 0; k < of; k++)
			t->user[t->first[t->way[i].step[k].edge + 1]++] = i;
	}
}

static size_t
part_of(size_t part[], size_t node)
{
	while (part[node] != node)
		node = part[node] = part[part[node]];
	return node;
}

static void
find_parts(struct tree *t)
{
	const struct machine *m = t->m;

	t->part = xcalloc(m->nnodes + 1, sizeof *t->part);
	t->head = xcalloc(m->nnodes + 1, sizeof *t->head);
	t->next = xcalloc(m->nnodes + 1, sizeof *t->next);
	for (size_t i = 0; i < m->nnodes; i++) {
		t->part[i] = i;
		t->head[i] = MACHINE_NONE;
	}
	for (size_t e = 0; e < m->nedges; e++) {
		const struct machine_edge *edge = &m->edge[e];

		if (edge->kind != EDGE_SOCKET && !m->node[edge->above].root &&
		    !m->node[edge->below].root)
			t->part[part_of(t->part, edge->below)] =
			    part_of(t->part, edge->above);
	}
	for (size_t i = m->nnodes; i--;) {
		size_t part = t->part[i] = part_of(t->part, i);

		t->next[i] = t->head[part];
		t->head[part] = i;
	}
}

/* The link that a device shares first on its way to memory, and with whom. */
static void
add_sharers(const struct tree *t, size_t node, size_t edge, struct about *a)
{
	struct composed c;
	FILE *to;

	if (a->shared != MACHINE_NONE ||
	    t->first[edge + 1] - t->first[edge] < 2)
		return;
	a->shared = t->m->edge[edge].below;
	to = compose_begin(&c);
	for (size_t k = t->first[edge]; k < t->first[edge + 1]; k++) {
		if (t->user[k] != node)
			fprintf(to, " %s", machine_name(t->m, t->user[k]));
	}
	a->sharers = compose_end(&c, to);
}

static void
add_peers(const struct tree *t, size_t node, struct about *a)
{
	const struct machine *m = t->m;
	struct flow f = {.from = node};
	struct composed peers, acs;
	FILE *to[] = {compose_begin(&peers), compose_begin(&acs)};

	for (size_t i = t->head[t->part[node]]; i != MACHINE_NONE;
	     i = t->next[i]) {
		if (i == node || !m->node[i].class || m->node[i].root)
			continue;
		f.to = i;
		if (!machine_route(m, &f) && (f.redirected || !f.crosses))
			fprintf(to[f.redirected], " %s", machine_name(m, i));
	}
	free(f.step);
	a->peers = compose_end(&peers, to[0]);
	a->acs = compose_end(&acs, to[1]);
}

static void
describe_device(const struct tree *t, size_t node, struct about *a)
{
	const struct machine *m = t->m;

	for (size_t i = 0; i < t->way[node].n; i++) {
		size_t edge = t->way[node].step[i].edge;
		double bound = flows_bound(m, t->o, edge, false);

		if (isnan(bound))
			continue;
		if (!(bound >= a->least)) {
			a->least = bound;
			a->narrow = m->edge[edge].below;
		}
		add_sharers(t, node, edge, a);
	}
	add_peers(t, node, a);
}

static struct about
describe(const struct tree *t, size_t node)
{
	size_t up = t->m->node[node].up;
	struct about a = {.narrow = MACHINE_NONE, .shared = MACHINE_NONE};

	a.least = NAN;
	a.up = flows_bound(t->m, t->o, up, false);
	a.down = flows_bound(t->m, t->o, up, true);
	if (!isnan(a.up)) {
		const struct machine_edge *e = &t->m->edge[up];
		struct link best = machine_best_link(t->m, node);

		snprintf(a.link, sizeof a.link, "gen%ux%u", e->link.gen,
		         e->link.lanes);
		if (e->now)
			snprintf(a.idle, sizeof a.idle, "gen%ux%u", e->now,
			         e->link.lanes);
		if (best.gen > e->link.gen ||
		    (best.gen && best.lanes > e->link.lanes))
			snprintf(a.best, sizeof a.best, "gen%ux%u", best.gen,
			         best.lanes);
	}
	if (t->m->node[node].class)
		describe_device(t, node, &a);
	return a;
}

static void
about_free(struct about *a)
{
	free(a->sharers);
	free(a->peers);
	free(a->acs);
}

/* A list without its first blank. */
static const char *
list_of(const char *names)
{
	return names && *names ? names + 1 : "";
}

static const char *
name_or_none(const struct machine *m, size_t node)
{
	return node == MACHINE_NONE ? "" : m->node[node].name;
}

static void
write_node(struct out *out, const struct tree *t, size_t node)
{
	const struct machine *m = t->m;
	const struct machine_node *n = &m->node[node];
	struct about a = describe(t, node);
	bool placed = n->function && n->function->node >= 0;

	OUT(out, TEXT("kind", "model"), TEXT("device", n->name),
	    TEXT("name", m->node[node].class ? machine_name(m, node) : ""),
	    TEXT("parent", name_or_none(m, machine_above(m, node))),
	    TEXT("link", a.link), TEXT("idle_link", a.idle),
	    TEXT("best_link", a.best), VALUE("bw_wr_gbit_s", a.up),
	    VALUE("bw_rd_gbit_s", a.down), VALUE("path_gbit_s", a.least),
	    TEXT("limiting_link", name_or_none(m, a.narrow)),
	    TEXT("shared_link", name_or_none(m, a.shared)),
	    TEXT("shared_with", list_of(a.sharers)),
	    TEXT("peers", list_of(a.peers)), TEXT("acs_peers", list_of(a.acs)),
	    VALUE("node", placed ? n->function->node : (double)NAN));
	out_end_row(out);
	about_free(&a);
}

/* Further lines of a node begin right of its name. */
static void
print_node(const struct tree *t, size_t node, int depth)
{
	const struct machine *m = t->m;
	const struct machine_node *n = &m->node[node];
	const struct rate_unit unit = rate_unit();
	size_t begin = 2 * (size_t)depth + plain_width(machine_name(m, node));
	size_t columns = terminal_size().columns;
	struct about a = describe(t, node);
	struct composed composed;
	FILE *to = compose_begin(&composed);
	char *text, *rest;

	printf("%*s", 2 * depth, "");
	print_plain(stdout, machine_name(m, node));
	if (m->node[node].class && n->function)
		fprintf(to, " %s", bdf_short(n->name));
	if (*a.link)
		fprintf(to, " %s, up %.1f, down %.1f %s", a.link,
		        a.up / unit.gbit_s, a.down / unit.gbit_s, unit.name);
	if (*a.idle)
		fprintf(to, " (idle at %s)", a.idle);
	if (*a.best)
		fprintf(to, " (both ends support %s)", a.best);
	if (a.narrow != node && a.narrow != MACHINE_NONE)
		fprintf(to, "; to memory %.1f %s by the link above %s",
		        a.least / unit.gbit_s, unit.name,
		        machine_name(m, a.narrow));
	if (a.sharers)
		fprintf(to, "; shares the link above %s with%s",
		        machine_name(m, a.shared), a.sharers);
	if (*list_of(a.peers))
		fprintf(to, "; reaches below the root%s", a.peers);
	if (*list_of(a.acs))
		fprintf(to, "; ACS sends through the root:%s", a.acs);
	text = compose_end(&composed, to);
	rest = strchr(text, ' ');
	if (rest) {
		printf("%.*s ", (int)(rest - text), text);
		begin += (size_t)(rest - text) + 1;
	}
	print_wrapped(begin, columns ? columns + 1 : 0, rest ? rest + 1 : "");
	free(text);
	about_free(&a);
}

/* The first node from `i` on that is shown right below another one. */
static size_t
next_below(const struct tree *t, size_t above, size_t i)
{
	while (i < t->m->nnodes &&
	       !(t->shown[i] && machine_above(t->m, i) == above))
		i++;
	return i < t->m->nnodes ? i : MACHINE_NONE;
}

/* Each node before those below it. */
static void
print_tree(const struct tree *t)
{
	size_t at = next_below(t, MACHINE_NONE, 0), next;

	for (int depth = 0; at != MACHINE_NONE; at = next) {
		print_node(t, at, depth++);
		next = next_below(t, at, 0);
		for (; next == MACHINE_NONE && at != MACHINE_NONE; depth--) {
			size_t above = machine_above(t->m, at);

			next = next_below(t, above, at + 1);
			at = above;
		}
	}
}

/* Shows devices of -d, or all ends, and what is above them. */
static void
choose(const struct tree *t)
{
	const struct machine *m = t->m;

	for (size_t i = 0; i < m->nnodes; i++) {
		const struct pci_function *f = m->node[i].function;
		char **name = t->o->flows.devices;
		bool port = f && (f->pcie.port == PORT_ROOT ||
		                  f->pcie.port == PORT_DOWNSTREAM);
		bool chosen = !name && !port && !m->node[i].inner;

		for (; name && *name; name++)
			chosen |= flows_node(m, *name) == i;
		for (size_t at = i; chosen && at != MACHINE_NONE;
		     at = machine_above(m, at))
			t->shown[at] = true;
	}
}

void
write_tree(struct out *out, const struct options *o)
{
	struct machine *m = flows_machine(o);
	struct tree t = {.m = m, .o = o};
	bool text = out->format == FORMAT_TABLE;

	if (!m->nnodes) {
		if (!m->no_link)
			warn("no link is visible: a hypervisor may hide them");
		exit(STATUS_ABSENT);
	}
	t.way = xcalloc(m->nnodes + 1, sizeof *t.way);
	t.shown = xcalloc(m->nnodes + 1, sizeof *t.shown);
	for (size_t i = 0; i < m->nnodes; i++) {
		t.way[i] = (struct flow){.from = i, .to = MACHINE_NONE};
		if (!m->node[i].root)
			machine_route(m, &t.way[i]);
	}
	find_users(&t);
	find_parts(&t);
	choose(&t);
	if (text)
		print_tree(&t);
	for (size_t i = 0; i < m->nnodes; i++) {
		if (!text && t.shown[i])
			write_node(out, &t, i);
	}
	for (size_t i = 0; i < m->nnodes; i++)
		free(t.way[i].step);
	free(t.way);
	free(t.first);
	free(t.user);
	free(t.part);
	free(t.head);
	free(t.next);
	free(t.shown);
	machine_free(m);
	/* The text is complete: out has nothing to finish. */
	if (text)
		options_finish();
}
