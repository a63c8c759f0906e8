/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Transfers of a machine: by name, and as measured cells of a matrix; shares
 * the links among them, writes the rates, and says what stands out.
 */
#include "model/flows.h"

#include "common/base/nearest.h"
#include "common/base/util.h"
#include "common/sys/sysfs.h"
#include "model/reference.h"

#include <math.h>

#define STAGED (NPATHS - 1)

/* A ratio that no rounding explains. */
#define ABOVE 1.03

/* Transfers ---------------------------------------------------------------- */

/* The rates of transfers at once, routed, as the options count. */
static void
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

/*
 * Sets who starts a transfer, and its way. Drives and NICs move data by
 * themselves, GPUs let them; a GPU that sends to another one writes. NULL, or
 * why this is no transfer.
 */
static const char *
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

/* The machine -------------------------------------------------------------- */

size_t
flows_node(const struct machine *m, const char *name)
{
	static char **known; /* until the end of the program */
	static size_t n;
	struct nearest nearest = {.typed = name};
	size_t node = machine_find(m, name);

	if (node != MACHINE_NONE)
		return node;
	nearest_offer(&nearest, "host");
	for (size_t i = 0; i < m->nnodes; i++) {
		array_push(known, n, xstrdup(machine_name(m, i)));
		nearest_offer(&nearest, known[n - 1]);
	}
	warn("'%s': no such device%s; pcb-model tree lists them", name,
	     nearest_hint(&nearest));
	exit(STATUS_ABSENT);
}

/*
 * Each link counts the best part of its bound that a single transfer showed;
 * between sockets, what reached less than links allow is a cap.
 */
static void
calibrate(struct machine *m, const struct options *o, struct table *t)
{
	double *best = xcalloc(2 * m->nedges + 1, sizeof *best), usual = 0;

	while (table_next(t)) {
		ptrdiff_t column = table_find(t, "bandwidth_gbit_s");
		double ratio;
		struct cell c;

		if (!*table_text(t, column) || !cell_of_row(&c, m, o, t))
			continue;
		ratio = table_number(t, (size_t)column) / c.gbit_s;
		for (size_t i = 0; c.n == 1 && ratio > 0 && i < c.flow->n;
		     i++) {
			size_t edge = c.flow->step[i].edge;
			size_t down = c.flow->step[i].down;
			double *at = &best[2 * edge + down];
			double bound = flows_bound(m, o, edge, i % 2);

			if (m->edge[edge].kind == EDGE_SOCKET &&
			    ratio * c.gbit_s > *at) {
				m->edge[edge].ratio[down] = ratio;
				*at = ratio * c.gbit_s;
			}
			/* It does not show what wider links can. */
			if (bound < c.gbit_s * 1.04)
				*at = fmax(*at, fmin(ratio, 1));
			usual = fmax(usual, fmin(ratio, 1));
		}
		cell_free(&c);
	}
	if (usual <= 0)
		die("%s: no row of a single transfer of this machine", t->file);
	for (size_t i = 0; i < 2 * m->nedges; i++) {
		struct machine_edge *e = &m->edge[i / 2];

		if (e->kind != EDGE_SOCKET)
			e->ratio[i % 2] = best[i] > 0 ? best[i] : usual;
		else if (e->ratio[i % 2] < 0.9 * usual)
			e->gbit_s[i % 2] = best[i];
	}
	free(best);
}

/* "gpu3=00:03.1", "pci0000:40=70GB/s". */
static void
change(struct machine *m, const char *option, const char *text)
{
	const char *value = strrchr(text, '=');
	char *name = xasprintf("%.*s", (int)(value ? value - text : 0), text);
	bool moves = !strcmp(option, "--move");
	const char *why;
	double gbit_s;

	if (!value)
		why = moves ? "not such as gpu3=00:03.1"
		            : "not such as gpu3=20GB/s";
	else if (moves)
		why = machine_move(m, flows_node(m, name),
		                   flows_node(m, value + 1));
	else if (!(why = parse_bandwidth(value + 1, &gbit_s)))
		why = machine_add_cap(m, name, gbit_s);
	free(name);
	if (why)
		die_usage("%s '%s': %s", option, text, why);
}

struct machine *
flows_machine(const struct options *o)
{
	const struct flow_options *f = &o->flows;
	const char *dump = o->link.dump;
	struct machine *m;

	if (f->topology) {
		m = machine_read_file(f->topology);
	} else {
		struct pci_tree *tree =
		    dump ? pci_tree_need_dump(dump, 0)
		         : pci_tree_read(root_path("/sys/bus/pci"));

		if (!tree || !tree->n) {
			warn("this machine has no PCI functions");
			exit(STATUS_ABSENT);
		}
		m = machine_of_tree(tree);
	}
	if (m->no_link)
		warn("functions left out, because their links cannot be read: "
		     "%zu (%s)",
		     m->no_link,
		     dump ? "a dump needs lspci -vv by root" : "run as root");
	if (m->tree && machine_find(m, "gpu1") != MACHINE_NONE)
		warn("gpu0, gpu1 ... count in the order of buses, as "
		     "nvidia-smi does; CUDA's own order may differ");
	for (size_t i = 0; i < f->move.n; i++)
		change(m, "--move", f->move.text[i]);
	for (size_t i = 0; i < m->nnodes; i++) {
		const char *why;

		link_options_override(&o->link, &m->node[i].set);
		why = link_check(&m->node[i].set);
		if (why)
			die_usage("%s", why);
	}
	if (f->calibrate) {
		char *file = (char *)f->calibrate;
		struct table *t = table_open(&file, 1);

		calibrate(m, o, t);
		table_close(t);
	}
	for (size_t i = 0; i < f->cap.n; i++)
		change(m, "--cap", f->cap.text[i]);
	return m;
}

/* Sets of transfers -------------------------------------------------------- */

struct plan {
	struct flow *flow;
	struct ends {
		char *from, *to;
	} * ends; /* as named */
	size_t n;
};

static void
add_flow(struct plan *p, const struct machine *m, const char *from,
         const char *to, bool reads)
{
	struct flow f = {.reads = reads};
	const char *why;
	size_t n = p->n;

	f.from = strcmp(from, "host") ? flows_node(m, from) : MACHINE_NONE;
	f.to = strcmp(to, "host") ? flows_node(m, to) : MACHINE_NONE;
	why = flows_complete(m, &f);
	if (why)
		die("'%s%s%s': %s", reads ? to : from, reads ? "<" : ">",
		    reads ? from : to, why);
	array_push(p->flow, p->n, f);
	array_push(p->ends, n, (struct ends){xstrdup(from), xstrdup(to)});
}

/* "gpu0>gpu4 gpu1<host gpu0->gpu4": words, each of two names. */
static void
add_words(struct plan *p, const struct machine *m, const char *text)
{
	char *copy = xstrdup(text), *rest = NULL;

	for (char *word = strtok_r(copy, " ,", &rest); word;
	     word = strtok_r(NULL, " ,", &rest)) {
		size_t n = strcspn(word, "<>");
		bool reads = word[n] == '<';

		if (!n || !word[n] || !word[n + 1])
			die_usage("'%s': not a transfer such as 'gpu0>gpu4' "
			          "(quoted, because of the shell)",
			          word);
		word[n - (word[n - 1] == '-')] = word[n] = '\0';
		add_flow(p, m, reads ? word + n + 1 : word,
		         reads ? word : word + n + 1, reads);
	}
	free(copy);
}

static bool
is_chosen(const struct machine *m, const struct options *o, size_t node)
{
	enum pci_class class = CLASS_GPU;

	for (char **name = o->flows.devices; name && *name; name++) {
		if (flows_node(m, *name) == node)
			return true;
	}
	/* Without a GPU, all other devices count. */
	if (machine_find(m, "gpu0") == MACHINE_NONE)
		class = m->node[node].class;
	return !o->flows.devices && class != CLASS_OTHER &&
	       m->node[node].class == class;
}

/* --all-pairs: each device to each; --each: each to NAME, or from "NAME>". */
static void
add_devices(struct plan *p, const struct machine *m, const struct options *o)
{
	const char *each = o->flows.each ? o->flows.each : "";
	size_t length = strcspn(each, ">");
	char *other = xasprintf("%.*s", (int)length, each);
	bool back = each[length] == '>';

	for (size_t i = 0; i < m->nnodes; i++) {
		const char *name = machine_name(m, i);
		bool chosen = is_chosen(m, o, i);

		if (chosen && *each && machine_find(m, other) != i)
			add_flow(p, m, back ? other : name, back ? name : other,
			         false);
		for (size_t k = 0;
		     chosen && o->flows.all_pairs && k < m->nnodes; k++) {
			if (k != i && is_chosen(m, o, k))
				add_flow(p, m, name, machine_name(m, k), false);
		}
	}
	free(other);
	if (p->n)
		return;
	warn("no GPU, drive or NIC with a link: name devices with -d");
	exit(STATUS_ABSENT);
}

/*
 * Whether both write through one uplink, above the devices' own ports, and part
 * behind it, on the way through the root complex.
 */
static bool
part_behind(const struct machine *m, const struct flow *a, const struct flow *b)
{
	bool shared = false;

	for (size_t i = 1; i < a->n; i++) {
		const struct route_step *s = &a->step[i];
		bool both = false;

		for (size_t k = 1; k < b->n; k++)
			both |= b->step[k].edge == s->edge &&
			        b->step[k].down == s->down;
		if (shared && !both)
			return !a->reads && !b->reads && a->crosses;
		if (m->edge[s->edge].kind == EDGE_LINK)
			shared = both && !s->down;
	}
	return false;
}

enum { POSTED_WRITES_PART = 1, ALL_TO_ALL = 2 };
static const char *const patterns[] = {"", "posted_writes_part", "all_to_all",
                                       "posted_writes_part all_to_all"};

static unsigned
pattern_of(const struct machine *m, const struct plan *p, size_t i)
{
	const struct flow *f = &p->flow[i];
	bool parts = false, spreads = false, meets = false, returns = false;

	for (size_t k = 0; k < p->n; k++) {
		const struct flow *g = &p->flow[k];

		spreads |= f->from == g->from && f->to != g->to;
		meets |= f->to == g->to && f->from != g->from;
		returns |= f->to == g->from && f->from == g->to;
		parts |= part_behind(m, f, g);
	}
	spreads &= meets && returns && !machine_is_memory(m, f->from) &&
	           !machine_is_memory(m, f->to);
	return (parts ? POSTED_WRITES_PART : 0) | (spreads ? ALL_TO_ALL : 0);
}

/*
 * All data over all time if each transfer moves as much and the time ends with
 * the last: those that run on share what the others leave.
 */
static double
equal_amounts(const struct machine *m, const struct options *o,
              const struct plan *p)
{
	struct flow *flow = xcalloc(p->n, sizeof *flow);
	double *left = xcalloc(p->n, sizeof *left), time = 0;
	size_t n = p->n;

	for (size_t i = 0; i < n; i++) {
		flow[i] = p->flow[i];
		left[i] = 1;
	}
	while (n) {
		double step = INFINITY;
		size_t kept = 0;

		flows_run(m, o, flow, n);
		for (size_t i = 0; i < n; i++)
			step = fmin(step, left[i] / flow[i].gbit_s);
		time += step;
		for (size_t i = 0; i < n; i++) {
			double rest = left[i] - step * flow[i].gbit_s;

			left[kept] = rest;
			flow[kept] = flow[i];
			kept += rest > 1e-9;
		}
		n = kept;
	}
	free(flow);
	free(left);
	return (double)p->n / time;
}

static void
write_row(struct out *out, const char *set, const char *from, const char *to,
          double gbit_s, double alone_gbit_s, const struct flow *f,
          unsigned pattern)
{
	OUT(out, TEXT("kind", "model"), TEXT("set", set), TEXT("from", from),
	    TEXT("to", to), VALUE("bandwidth_gbit_s", gbit_s),
	    VALUE("alone_gbit_s", alone_gbit_s),
	    TEXT("limited_by", f ? f->limited_by : ""),
	    TEXT("crosses", f ? crossing_names[f->crosses] : ""),
	    TEXT("flags", patterns[pattern]));
	out_end_row(out);
}

/* Writes what each gets, frees the plan, and returns all patterns. */
static unsigned
write_plan(struct out *out, const struct machine *m, const struct options *o,
           const char *set, struct plan *p)
{
	unsigned all = 0;
	double total = 0;

	flows_run(m, o, p->flow, p->n);
	for (size_t i = 0; i < p->n; i++) {
		const struct flow *f = &p->flow[i];
		unsigned pattern = pattern_of(m, p, i);
		struct flow alone = *f;

		flows_run(m, o, &alone, 1);
		write_row(out, set, p->ends[i].from, p->ends[i].to, f->gbit_s,
		          alone.gbit_s, f, pattern);
		total += f->gbit_s;
		all |= pattern;
	}
	if (p->n > 1) {
		write_row(out, set, "total", "", total, NAN, NULL, 0);
		write_row(out, set, "total", "equal amounts",
		          equal_amounts(m, o, p), NAN, NULL, 0);
	}
	for (size_t i = 0; i < p->n; i++) {
		free(p->flow[i].step);
		free(p->ends[i].from);
		free(p->ends[i].to);
	}
	free(p->flow);
	free(p->ends);
	*p = (struct plan){0};
	return all;
}

void
write_flows(struct out *out, const struct options *o)
{
	struct machine *m = flows_machine(o);
	char *file = (char *)o->flows.set;
	struct plan p = {0};
	unsigned all = 0;

	for (size_t i = 0; i < o->nfiles; i++)
		add_words(&p, m, o->files[i]);
	if (o->flows.all_pairs || o->flows.each)
		add_devices(&p, m, o);
	if (p.n)
		all = write_plan(out, m, o, "", &p);
	if (file) {
		struct table *t = table_open(&file, 1);

		while (table_next(t)) {
			add_words(&p, m, need_text(t, "flows"));
			all |=
			    write_plan(out, m, o, optional_text(t, "set"), &p);
		}
		table_close(t);
	}
	if (all & POSTED_WRITES_PART)
		warn("posted_writes_part: writes through one uplink to several "
		     "places behind it; on some switches such sets fell to a "
		     "tenth and less, so measure this one");
	if (all & ALL_TO_ALL)
		warn("all_to_all: published sets of this kind reached 0.56 to "
		     "0.64 of these rates in one switch, 0.86 where uplinks "
		     "limit");
	machine_free(m);
}
