/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Transfers of a machine, measured cells of them, and what stands out. */
#include "common/cell/cells.h"

#include "common/base/util.h"
#include "common/cause/reference.h"

#include <math.h>

#define STAGED (NPATHS - 1)

/* A ratio that no rounding explains. */
#define ABOVE 1.03

/* Transfers ---------------------------------------------------------------- */

void
flows_share(const struct machine *m, const struct flow_rules *rules,
            struct flow flow[], size_t n)
{
	machine_share(m, &rules->how, rules->size, flow, n);
}

unsigned
port_forward(const struct pci_function *port, char **cpu)
{
	char *file, id[16];
	struct table *t = reference_open(&file, "hosts");
	double bytes = 0;

	snprintf(id, sizeof id, "%04x:%04x", port->vendor_id, port->device_id);
	while (table_next(t)) {
		const char *title = need_text(t, "title");

		if (bytes > 0 || !*title ||
		    (strcmp(need_text(t, "id"), id) != 0 &&
		     !(port->title && strstr(port->title, title))))
			continue;
		bytes = table_number(t, need_column(t, "forward_bytes"));
		*cpu = xasprintf("%s, by %s", need_text(t, "cpu"),
		                 need_text(t, "source"));
	}
	table_close(t);
	free(file);
	return (unsigned)bytes;
}

void
flow_set_forward(const struct machine *m, const struct flow_rules *rules,
                 struct flow *f)
{
	/* The last port and what is known of it: cells have many alike. */
	static const struct pci_function *port;
	static unsigned forward;
	static bool said[2];
	size_t at = f->to, above;
	char *cpu = NULL;

	if (f->reads || !f->crosses || machine_uses_memory(m, f))
		return;
	f->forward = rules->forward;
	while ((above = machine_above(m, at)) != MACHINE_NONE &&
	       !m->node[above].root)
		at = above;
	if (f->forward || !m->node[at].function)
		return;
	if (port != m->node[at].function) {
		port = m->node[at].function;
		forward = port_forward(port, &cpu);
	}
	f->forward = forward;
	if (said[forward > 0])
		return;
	said[forward > 0] = true;
	if (forward)
		warn("peer writes leave the root complex in packets of %u "
		     "bytes (%s); --forward 4K counts them whole",
		     forward, cpu);
	else
		warn("whether this root complex passes on peer writes whole is "
		     "not known: if not, they get less; --forward 64 counts "
		     "packets of 64 bytes");
	free(cpu);
}

const char *
flow_complete(const struct machine *m, struct flow *f)
{
	bool from_memory = machine_is_memory(m, f->from);

	if (from_memory && machine_is_memory(m, f->to))
		return "memory starts no transfers";
	if (f->reads && machine_is_memory(m, f->to))
		return "memory does not read: write it the other way round, "
		       "with >";
	f->reads |= from_memory || (!machine_is_memory(m, f->to) &&
	                            m->node[f->to].class > CLASS_GPU &&
	                            m->node[f->from].class == CLASS_GPU);
	return machine_route(m, f);
}

/* Cells -------------------------------------------------------------------- */

/* A device, "G0", "C0", "cpu0" or "host"; false: none of this machine. */
static bool
find_end(const struct machine *m, const char *text, size_t *node)
{
	bool cpu = *text == 'C' || !strncmp(text, "cpu", 3);
	char *name = xasprintf("%s%s", cpu ? "node" : "gpu",
	                       text + strcspn(text, "0123456789"));

	*node = machine_find(m, strchr("CcG", *text) ? name : text);
	free(name);
	return *node != MACHINE_NONE || cpu || !strcmp(text, "host");
}

bool
cell_of_row(struct cell *c, const struct machine *m,
            const struct flow_rules *rules, const struct table *t)
{
	const char *bench = optional_text(t, "bench");
	const char *from = optional_text(t, "from"), *to;
	/* nvbandwidth: `peer` reads from `device`, or writes to it. */
	bool d2d = !strncmp(bench, "device_to_device", 16);
	bool reads = d2d && strstr(bench, "_read");
	size_t ways = strstr(bench, "bidir") ? 2 : 1, parts, a, b;
	bool staged = !strcmp(optional_text(t, "p2p"), "off") ||
	              !strcmp(optional_text(t, "peer_access"), "no");

	*c = (struct cell){.gbit_s = 0};
	to = optional_text(t, *from ? "to" : "peer");
	if (!*from)
		from = optional_text(t, "device");
	if (!strcmp(bench, "transferbench")) {
		from = optional_text(t, "source");
		to = optional_text(t, "destination");
	} else if (!strcmp(bench, "bw_rd")) {
		to = from;
		from = "host";
	} else if (!strcmp(bench, "bw_wr")) {
		to = "host";
	}
	if (!*from || !*to || !find_end(m, from, &a) || !find_end(m, to, &b) ||
	    a == b)
		return false;
	for (size_t way = 0; way < ways; way++) {
		bool back = (way > 0) != (d2d && !reads);
		size_t x = back ? b : a, y = back ? a : b;

		if (staged)
			c->flow[c->n++] =
			    (struct flow){.from = x, .to = MACHINE_NONE};
		c->flow[c->n++] = (struct flow){
		    .from = staged ? MACHINE_NONE : x, .to = y, .reads = reads};
	}
	for (size_t i = 0; i < c->n; i++) {
		if (flow_complete(m, &c->flow[i])) {
			cell_free(c);
			return false;
		}
		flow_set_forward(m, rules, &c->flow[i]);
	}
	flows_share(m, rules, c->flow, c->n);
	/* The parts of a staged copy run at the rate of the slower one. */
	parts = c->n / ways;
	c->limit = c->flow;
	for (size_t i = 0; i < c->n; i++) {
		if (c->flow[i].gbit_s < c->limit->gbit_s)
			c->limit = &c->flow[i];
		/* It gives each way of two, and their total. */
		if (i % parts == parts - 1 &&
		    (!d2d || !i || strstr(bench, "_total")))
			c->gbit_s += fmin(c->flow[i].gbit_s,
			                  c->flow[i + 1 - parts].gbit_s);
	}
	return true;
}

void
cell_free(struct cell *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->flow[i].step);
}

struct measured
cell_measured(const struct machine *m, const struct cell *c, double ratio)
{
	const struct flow *f = c->flow;
	bool staged = c->n > 1 && f[1].from == MACHINE_NONE;
	struct measured d = {0, f->from, staged ? f[1].to : f->to, ratio};
	size_t links = 0;

	for (size_t i = 0; i < f->n; i++)
		links += m->edge[f->step[i].edge].kind == EDGE_LINK;
	d.path = f->crosses ? 1 + f->crosses : links > 2;
	if (d.from == MACHINE_NONE || d.to == MACHINE_NONE || staged)
		d.path = staged ? STAGED : STAGED - 1;
	return d;
}

/* What stands out ---------------------------------------------------------- */

/* From this part of its bound on, a cell is as it should be. */
#define NEAR 0.9

/* A device lags if its cells are so much below their like; with few, APART. */
#define LAG 0.06
#define FEW 3

/* All are slow if no cell reaches this part of its bound. */
#define SLOW 0.75

/* Cells are alike on the same path; from memory and to it are two kinds. */
#define NLIKES ((size_t)2 * NPATHS)

static size_t
like_of(const struct measured *c)
{
	return 2 * c->path + (c->from == MACHINE_NONE);
}

/* The cells of a device among their like. */
struct standing {
	size_t cells, slow;
	size_t partner; /* the last other end of a slow one */
	bool several;   /* it has other ends, or memory */
	double lag;     /* sum of all */
};

struct view {
	const struct machine *m;
	const struct measured *cell;
	size_t n;
	bool *named; /* devices to blame: their cells do not count further */
	struct standing (*of)[NLIKES]; /* by node */
};

static bool
blames(const struct view *v, size_t node)
{
	return node != MACHINE_NONE && v->named[node];
}

static bool
counts(const struct view *v, const struct measured *c)
{
	return c->ratio < ABOVE && !blames(v, c->from) && !blames(v, c->to);
}

/*
 * A quantile of the cells that count, of one kind or, if `kinds` is 2, of both
 * of a path. NAN without cells.
 */
static double
level_of(const struct view *v, size_t like, size_t kinds, double quantile)
{
	double *ratio = xcalloc(v->n + 1, sizeof *ratio), level;
	size_t n = 0;

	for (size_t i = 0; i < v->n; i++) {
		size_t at = like_of(&v->cell[i]);

		if (counts(v, &v->cell[i]) && at / kinds == like / kinds)
			ratio[n++] = v->cell[i].ratio;
	}
	level = n ? quantile_of(ratio, n, quantile) : (double)NAN;
	free(ratio);
	return level;
}

static void
take_standing(struct view *v, size_t node, size_t other,
              const struct measured *c, double level)
{
	struct standing *s;
	double lag = 1 - c->ratio / level;

	if (node == MACHINE_NONE)
		return;
	s = &v->of[node][like_of(c)];
	s->cells++;
	if (c->ratio >= NEAR || lag <= LAG)
		return;
	s->several |= other == MACHINE_NONE || (s->slow && s->partner != other);
	s->partner = other;
	s->lag += lag;
	s->slow++;
}

/*
 * The device that explains most slow cells: all of it on some path, with more
 * than one other device, since either of two could be slow. A cell is slow if
 * it is below its bound, and below the best of its like that no device named
 * so far explains. MACHINE_NONE if there is none.
 */
static size_t
find_slow(struct view *v)
{
	size_t worst = MACHINE_NONE, most = 0;
	double level[NLIKES];

	memset(v->of, 0, v->m->nnodes * sizeof *v->of);
	for (size_t i = 0; i < NLIKES; i++)
		level[i] = level_of(v, i, 1, 0.9);
	for (size_t i = 0; i < v->n; i++) {
		const struct measured *c = &v->cell[i];
		double near = level[like_of(c)];

		if (!counts(v, c))
			continue;
		take_standing(v, c->from, c->to, c, near);
		take_standing(v, c->to, c->from, c, near);
	}
	for (size_t i = 0; i < v->m->nnodes; i++) {
		size_t slow = 0;
		double lag = 0;

		for (size_t k = 0; k < NLIKES; k++) {
			const struct standing *s = &v->of[i][k];

			if (s->several && s->slow == s->cells) {
				slow += s->slow;
				lag += s->lag;
			}
		}
		if (slow > most &&
		    (slow >= FEW || lag > (1 - APART) * (double)slow)) {
			most = slow;
			worst = i;
		}
	}
	return worst;
}

/* How far a device is below the others on the paths where it is slow. */
static double
lag_of(const struct view *v, size_t device)
{
	double *lag = xcalloc(v->n + 1, sizeof *lag), level[NLIKES], usual;
	size_t n = 0;

	for (size_t i = 0; i < NLIKES; i++)
		level[i] = level_of(v, i, 1, 0.5);
	for (size_t i = 0; i < v->n; i++) {
		const struct measured *c = &v->cell[i];
		double others =
		    isnan(level[like_of(c)]) ? 1 : level[like_of(c)];

		if ((c->from == device || c->to == device) &&
		    c->ratio < fmin(NEAR, (1 - LAG) * others))
			lag[n++] = 1 - c->ratio / others;
	}
	usual = n ? quantile_of(lag, n, 0.5) : (double)NAN;
	free(lag);
	return usual;
}

/* Whether cells that no device explains are on a path between good devices. */
static bool
path_is_slow(const struct view *v, size_t path, double best)
{
	bool *good = xcalloc(v->m->nnodes + 1, sizeof *good), slow = false;

	for (size_t i = 0; i < v->n; i++) {
		const struct measured *c = &v->cell[i];

		if (!counts(v, c) || c->ratio < APART * best)
			continue;
		if (c->from != MACHINE_NONE)
			good[c->from] = true;
		if (c->to != MACHINE_NONE)
			good[c->to] = true;
	}
	for (size_t i = 0; i < v->n; i++) {
		const struct measured *c = &v->cell[i];

		slow |= c->path == path && counts(v, c) &&
		        (c->from == MACHINE_NONE || good[c->from]) &&
		        (c->to == MACHINE_NONE || good[c->to]);
	}
	free(good);
	return slow && level_of(v, 2 * path, 2, 0.9) < APART * best;
}

/* Whether one device is an end of all cells that count. */
static bool
one_explains_all(const struct view *v)
{
	const struct measured *first = NULL;
	bool from = true, to = true;

	for (size_t i = 0; i < v->n; i++) {
		const struct measured *c = &v->cell[i];

		if (!counts(v, c))
			continue;
		if (!first)
			first = c;
		from &= c->from == first->from || c->to == first->from;
		to &= c->from == first->to || c->to == first->to;
	}
	return !first || (from && first->from != MACHINE_NONE) ||
	       (to && first->to != MACHINE_NONE);
}

static void
say_paths(const struct view *v, const char *const names[])
{
	for (size_t path = 0; path < NPATHS; path++) {
		size_t n = 0;

		for (size_t i = 0; i < v->n; i++)
			n += v->cell[i].path == path && counts(v, &v->cell[i]);
		if (n)
			warn("%s: %zu cell%s, median %.0f %% of the bound "
			     "(%.0f to %.0f)",
			     names[path], n, n == 1 ? "" : "s",
			     100 * level_of(v, 2 * path, 2, 0.5),
			     100 * level_of(v, 2 * path, 2, 0),
			     100 * level_of(v, 2 * path, 2, 1));
	}
}

void
cells_say(const struct machine *m, const struct measured cell[], size_t n)
{
	static const char *const names[NPATHS] = {
	    "below one switch",         "below one root port",
	    "through the root complex", "to another socket",
	    "to or from memory",        "staged in memory"};
	struct view v = {
	    .m = m,
	    .cell = cell,
	    .n = n,
	    .named = xcalloc(m->nnodes + 1, sizeof *v.named),
	    .of = xcalloc(m->nnodes + 1, sizeof *v.of),
	};
	size_t above = 0, device;
	double best = 0;

	for (size_t i = 0; i < n; i++)
		above += cell[i].ratio >= ABOVE;
	if (above)
		warn("%zu cell%s above the bound: not over these links "
		     "(NVLink?), or a wrong link",
		     above, above == 1 ? " is" : "s are");
	say_paths(&v, names);
	while ((device = find_slow(&v)) != MACHINE_NONE)
		v.named[device] = true;
	for (size_t i = 0; i < m->nnodes; i++) {
		if (v.named[i])
			warn("%s is %.0f %% below the others on its paths: the "
			     "device, its slot or link",
			     machine_name(m, i), 100 * lag_of(&v, i));
	}
	/* Staging is a program's work, not a link's. */
	for (size_t path = 0; path < STAGED; path++)
		best = fmax(best, level_of(&v, 2 * path, 2, 0.9));
	for (size_t path = 0; path < STAGED; path++) {
		if (path_is_slow(&v, path, best))
			warn("%s is slow as a class: the path, not a device",
			     names[path]);
	}
	if (best > 0 && best < SLOW && !one_explains_all(&v))
		warn(
		    "all are slow: a setting (ACS, IOMMU, payload sizes, P2P), "
		    "not a device");
	free(v.named);
	free(v.of);
}
