/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Transfers of a machine, measured cells of a matrix, and which stand out. */
#include "model/cells.h"

#include "common/base/util.h"
#include "model/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STAGED (NPATHS - 1)

/* A ratio that no rounding explains. */
#define ABOVE 1.03

/* Transfers ---------------------------------------------------------------- */

void
flows_run(const struct machine *m, const struct options *o, struct flow flow[],
          size_t n)
{
	struct link_config how = link_config_of(&o->link);

	machine_share(m, &how, o->sweep.size.value[0], flow, n);
}

double
flows_bound(const struct machine *m, const struct options *o, size_t edge,
            bool down)
{
	struct link_config how = link_config_of(&o->link);

	if (edge == MACHINE_NONE || m->edge[edge].kind != EDGE_LINK ||
	    m->edge[edge].link.bus != BUS_PCIE)
		return NAN;
	return machine_bound(m, &how, o->sweep.size.value[0], edge, down);
}

const char *
flows_complete(const struct machine *m, struct flow *f)
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
cell_of_row(struct cell *c, const struct machine *m, const struct options *o,
            const struct table *t)
{
	const char *bench = optional_text(t, "bench");
	const char *from = optional_text(t, "from"), *to;
	/* nvbandwidth: `peer` reads from `device`, or writes to it. */
	bool d2d = !strncmp(bench, "device_to_device", 16);
	bool reads = d2d && strstr(bench, "_read");
	size_t ways = strstr(bench, "bidir") ? 2 : 1, parts, a, b;
	bool staged = !strcmp(optional_text(t, "p2p"), "off");

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
		if (flows_complete(m, &c->flow[i])) {
			cell_free(c);
			return false;
		}
	}
	flows_run(m, o, c->flow, c->n);
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

/* What stands out -----------------------------------------------------------
 */

/* How far all cells of a device are below the others of their paths; 0 to 1. */
static double
lag_of(const struct measured cell[], size_t n, size_t device,
       const double median[NPATHS])
{
	double *lag = xcalloc(n + 1, sizeof *lag), usual;
	size_t found = 0;

	for (size_t i = 0; i < n; i++) {
		if ((cell[i].from == device || cell[i].to == device) &&
		    cell[i].ratio < ABOVE)
			lag[found++] = 1 - cell[i].ratio / median[cell[i].path];
	}
	/* One or two cells may be a pair, not a device. */
	usual = found > 2 ? quantile_of(lag, found, 0.5) : 0;
	free(lag);
	return usual;
}

void
cells_say(const struct machine *m, const struct measured cell[], size_t n)
{
	static const char *const names[NPATHS] = {
	    "below one switch",         "below one root port",
	    "through the root complex", "to another socket",
	    "to or from memory",        "staged in memory"};
	double median[NPATHS], best = 0;
	size_t above = 0;

	for (size_t i = 0; i < n; i++)
		above += cell[i].ratio >= ABOVE;
	if (above)
		warn("%zu cell%s above the bound: not over these links "
		     "(NVLink?), or a wrong link",
		     above, above == 1 ? " is" : "s are");

	for (size_t path = 0; path < NPATHS; path++) {
		double *r = xcalloc(n + 1, sizeof *r);
		size_t found = 0;

		for (size_t i = 0; i < n; i++) {
			if (cell[i].path == path && cell[i].ratio < ABOVE)
				r[found++] = cell[i].ratio;
		}
		median[path] = found ? quantile_of(r, found, 0.5) : NAN;
		/* Staging is a program's work, not a link's. */
		if (path != STAGED)
			best = fmax(best, median[path]);
		if (found)
			warn(
			    "%s: %zu cell%s, median %.0f %% of the bound (%.0f "
			    "to %.0f)",
			    names[path], found, found == 1 ? "" : "s",
			    100 * median[path], 100 * r[0], 100 * r[found - 1]);
		free(r);
	}
	for (size_t i = 0; i < m->nnodes; i++) {
		double lag = lag_of(cell, n, i, median);

		if (lag > 0.06)
			warn("%s is %.0f %% below the others on its paths: the "
			     "device, its slot or link",
			     machine_name(m, i), 100 * lag);
	}
	for (size_t path = 0; path < NPATHS; path++) {
		if (path != STAGED && median[path] < 0.85 * best)
			warn("%s is slow as a class: the path, not a device",
			     names[path]);
	}
	if (best > 0 && best < 0.75)
		warn(
		    "all are slow: a setting (ACS, IOMMU, payload sizes, P2P), "
		    "not a device");
}
