/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads transfers by name, shares the links among them, writes the rates. */
#include "model/flows.h"

#include "common/base/util.h"
#include "common/sys/sysfs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const path_names[NPATHS] = {
    "below one switch", "below one root port or chip",
    "through the root complex", "to the other socket"};

/* The machine -------------------------------------------------------------- */

struct link_config
flows_counted(const struct options *o)
{
	return (struct link_config){.completer = o->link.completer,
	                            .accounting = o->link.accounting,
	                            .skp = o->link.skp};
}

uint64_t
flows_size(const struct options *o)
{
	return options_given(&o->parser, "size") ? o->sweep.size.value[0]
	                                         : 4096;
}

static size_t
need_node(const struct machine *m, const char *name)
{
	size_t node = machine_find(m, name);

	if (node != MACHINE_NONE)
		return node;
	warn("'%s': no such device; pcb-model tree lists them", name);
	exit(STATUS_ABSENT);
}

static bool
is_memory(const struct machine *m, size_t node)
{
	return node == MACHINE_NONE ||
	       (m->node[node].root && !m->node[node].function);
}

/* Each row of single transfers: what part of its bound it reached. */
static void
calibrate(struct machine *m, const struct options *o, struct table *t)
{
	struct link_config how = flows_counted(o);
	double *best = xcalloc(2 * m->nedges, sizeof *best), usual = 0;
	ptrdiff_t column = -1;
	size_t used = 0;

	while (table_next(t)) {
		struct cell c = {0};
		double value;

		column = table_find(t, "median_gbit_s");
		if (!*table_text(t, column))
			column = table_find(t, "bandwidth_gbit_s");
		if (!*table_text(t, column) || !cell_of_row(&c, m, t))
			continue;
		value = table_number(t, (size_t)column);
		if (c.n == 1 && value > 0) {
			struct flow *f = c.flow;
			double ratio, *of_class;

			cell_share(&c, m, o);
			ratio = fmin(value / f->gbit_s, 1);
			of_class = &m->reached[f->crosses];
			*of_class = fmax(*of_class, ratio);
			for (size_t i = 0; i < f->n; i++) {
				size_t at =
				    2 * f->step[i].edge + f->step[i].down;
				double bound = machine_bound(
				    m, &how, flows_size(o), at / 2, at % 2);

				/* Wider links are not what it shows. */
				if (m->edge[at / 2].kind == EDGE_LINK &&
				    bound < f->gbit_s * 1.04)
					best[at] = fmax(best[at], ratio);
			}
			usual = fmax(usual, ratio);
			used++;
		}
		cell_free(&c);
	}
	if (!used)
		die("%s: no row of a single transfer of this machine", t->file);
	for (size_t i = 0; i < 2 * m->nedges; i++)
		m->edge[i / 2].ratio[i % 2] = best[i] > 0 ? best[i] : usual;
	free(best);
}

static void
override(struct machine *m, const struct options *o)
{
	for (size_t i = 0; i < m->nnodes; i++) {
		const char *why;

		link_options_override(&o->link, &m->node[i].set);
		why = link_check(&m->node[i].set);
		if (why)
			die_usage("%s", why);
	}
}

static void
move(struct machine *m, const char *text)
{
	size_t n = strcspn(text, "=");
	char *device = xasprintf("%.*s", (int)n, text);
	const char *why;

	if (!text[n])
		die_usage("--move '%s': not such as gpu3=00:03.1", text);
	why = machine_move(m, need_node(m, device), need_node(m, text + n + 1));
	if (why)
		die("--move '%s': %s", text, why);
	free(device);
}

static void
add_cap(struct machine *m, const char *text)
{
	const char *rate = strrchr(text, '=');
	char *name = xasprintf("%.*s", (int)(rate ? rate - text : 0), text);
	double gbit_s = 0;
	const char *why = rate ? set_bandwidth(&gbit_s, rate + 1)
	                       : "not such as socket=40GB/s";

	if (!why)
		why = machine_add_cap(m, name, gbit_s);
	if (why)
		die_usage("--cap '%s': %s", text, why);
	free(name);
}

struct machine *
flows_machine(const struct options *o)
{
	const struct flow_options *f = &o->flows;
	struct machine *m;
	struct pci_tree *tree;

	if (f->topology) {
		m = machine_read(f->topology);
	} else {
		tree = o->link.dump ? pci_tree_read_dump(o->link.dump)
		                    : pci_tree_read(root_path("/sys/bus/pci"));
		if (!tree || !tree->n) {
			warn("%s has no PCI functions",
			     o->link.dump ? o->link.dump : "this machine");
			exit(STATUS_ABSENT);
		}
		m = machine_of_tree(tree);
	}
	if (m->no_link)
		warn("%zu functions are left out, because their links cannot "
		     "be read: %s",
		     m->no_link,
		     o->link.dump ? "a dump needs lspci -vv by root"
		                  : "run as root");
	for (size_t i = 0; i < f->move.n; i++)
		move(m, f->move.text[i]);
	override(m, o);
	if (f->calibrate) {
		char *file = (char *)f->calibrate;
		struct table *t = table_open(&file, 1);

		calibrate(m, o, t);
		table_close(t);
	}
	for (size_t i = 0; i < f->cap.n; i++)
		add_cap(m, f->cap.text[i]);
	return m;
}

/* Transfers ---------------------------------------------------------------- */

/*
 * Drives and NICs move data by themselves, GPUs let them; a GPU that sends to
 * another one writes. NULL, or why this is no transfer.
 */
static const char *
complete(const struct machine *m, struct flow *f)
{
	bool from_memory = is_memory(m, f->from),
	     to_memory = is_memory(m, f->to);
	enum machine_class from =
	    from_memory ? CLASS_OTHER : m->node[f->from].class;
	enum machine_class to = to_memory ? CLASS_OTHER : m->node[f->to].class;

	if (from_memory && to_memory)
		return "memory starts no transfers";
	f->reads |= from_memory || (from == CLASS_GPU &&
	                            (to == CLASS_NVME || to == CLASS_NIC));
	if (f->reads && to_memory)
		return "memory does not read: write it the other way round, "
		       "with >";
	return machine_route(m, f);
}

static size_t
end_named(const struct machine *m, const char *name)
{
	return strcmp(name, "host") != 0 ? need_node(m, name) : MACHINE_NONE;
}

/* Transfers that run at once. */
struct plan {
	const char *set; /* its name, or "" */
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
	struct flow f = {
	    .from = end_named(m, from), .to = end_named(m, to), .reads = reads};
	const char *why = complete(m, &f);
	size_t n = p->n;

	if (why)
		die("'%s%s%s': %s", reads ? to : from, reads ? "<" : ">",
		    reads ? from : to, why);
	array_push(p->flow, p->n, f);
	array_push(p->ends, n, (struct ends){xstrdup(from), xstrdup(to)});
}

/* "gpu0>gpu4 gpu1<host": words, each of two names. */
static void
add_words(struct plan *p, const struct machine *m, const char *text)
{
	char *copy = xstrdup(text), *rest = NULL;

	for (char *word = strtok_r(copy, " ,;", &rest); word;
	     word = strtok_r(NULL, " ,;", &rest)) {
		size_t n = strcspn(word, "<>");
		bool reads = word[n] == '<';

		if (!n || !word[n] || !word[n + 1])
			die_usage("'%s': not a transfer such as 'gpu0>gpu4' "
			          "(quoted, because of the shell)",
			          word);
		word[n] = '\0';
		add_flow(p, m, reads ? word + n + 1 : word,
		         reads ? word : word + n + 1, reads);
	}
	free(copy);
}

static void
plan_clear(struct plan *p)
{
	for (size_t i = 0; i < p->n; i++) {
		flow_free(&p->flow[i]);
		free(p->ends[i].from);
		free(p->ends[i].to);
	}
	free(p->flow);
	free(p->ends);
	*p = (struct plan){.set = ""};
}

static bool
is_chosen(const struct machine *m, const struct options *o, size_t node)
{
	enum machine_class class = m->node[node].class;

	if (!o->flows.devices)
		return class == CLASS_GPU;
	for (size_t i = 0; i < o->flows.ndevices; i++) {
		if (need_node(m, o->flows.devices[i]) == node)
			return true;
	}
	return false;
}

/* --all-pairs: each device to each; --each: each to NAME, or from "NAME>". */
static void
add_devices(struct plan *p, const struct machine *m, const struct options *o)
{
	const char *each = o->flows.each ? o->flows.each : "";
	size_t length = strcspn(each, ">");
	char *other = xasprintf("%.*s", (int)length, each);

	for (size_t i = 0; i < m->nnodes; i++) {
		const char *name = machine_name(m, i);

		if (!is_chosen(m, o, i))
			continue;
		if (*each && end_named(m, other) != i)
			add_flow(p, m, each[length] ? other : name,
			         each[length] ? name : other, false);
		for (size_t k = 0; o->flows.all_pairs && k < m->nnodes; k++) {
			if (k != i && is_chosen(m, o, k))
				add_flow(p, m, name, machine_name(m, k), false);
		}
	}
	if (!p->n) {
		warn("no GPU to take: name devices with -d");
		exit(STATUS_ABSENT);
	}
	free(other);
}

/* Known patterns ----------------------------------------------------------- */

/*
 * Whether both write through one uplink, above the devices' own ports, and part
 * behind it.
 */
static bool
part_behind(const struct machine *m, const struct flow *a, const struct flow *b)
{
	size_t i = 0, k = 0;

	if (a->reads || b->reads || a->to == b->to)
		return false;
	for (i = 1; i < a->n; i++) {
		if (a->step[i].down ||
		    m->edge[a->step[i].edge].kind != EDGE_LINK)
			continue;
		for (k = 1; k < b->n; k++) {
			if (b->step[k].edge == a->step[i].edge &&
			    !b->step[k].down)
				break;
		}
		if (k < b->n)
			break;
	}
	if (i == a->n || k == b->n)
		return false;
	for (; ++i < a->n && ++k < b->n;) {
		if (a->step[i].edge != b->step[k].edge)
			return a->crosses && b->crosses;
		if (a->step[i].down &&
		    m->edge[a->step[i].edge].kind == EDGE_LINK)
			return false;
	}
	return false;
}

enum pattern { POSTED_WRITES_PART = 1, ALL_TO_ALL = 2 };
static const char *const pattern_names[] = {
    "", "posted_writes_part", "all_to_all", "posted_writes_part all_to_all"};

static unsigned
patterns(const struct machine *m, const struct plan *p, size_t i)
{
	const struct flow *f = &p->flow[i];
	bool parts = false, spreads = false, meets = false, returns = false;

	for (size_t k = 0; k < p->n; k++) {
		const struct flow *g = &p->flow[k];

		spreads |= f->from == g->from && f->to != g->to;
		meets |= f->to == g->to && f->from != g->from;
		returns |= f->to == g->from && f->from == g->to;
		parts |= k != i && part_behind(m, f, g);
	}
	returns &= !is_memory(m, f->from) && !is_memory(m, f->to);
	return (parts ? POSTED_WRITES_PART : 0) |
	       (spreads && meets && returns ? ALL_TO_ALL : 0);
}

/* Rows --------------------------------------------------------------------- */

/* The rate of a transfer that runs alone. */
static double
alone(const struct machine *m, const struct options *o, const struct flow *f)
{
	struct link_config how = flows_counted(o);
	struct flow copy = *f;

	copy.limited_by = NULL;
	machine_share(m, &how, flows_size(o), &copy, 1);
	free(copy.limited_by);
	return copy.gbit_s;
}

static void
write_flow(struct out *o, const struct plan *p, size_t i, double alone_gbit_s,
           unsigned pattern)
{
	const struct flow *f = &p->flow[i];

	out_text(o, "model");
	out_text(o, p->set);
	out_text(o, p->ends[i].from);
	out_text(o, p->ends[i].to);
	out_double(o, f->gbit_s);
	out_double(o, alone_gbit_s);
	out_text(o, f->limited_by ? f->limited_by : "");
	out_text(o, crossing_names[f->crosses]);
	out_text(o, pattern_names[pattern]);
}

static void
write_total(struct out *out, const struct plan *p, const char *of, double rate)
{
	char from[] = "total";
	struct ends ends = {from, (char *)of};
	struct flow sum = {.gbit_s = rate};
	struct plan row = {p->set, &sum, &ends, 1};

	write_flow(out, &row, 0, NAN, 0);
}

/*
 * All data over all time if each transfer moves as much and the time ends with
 * the last: those that run on share what the others leave.
 */
static double
equal_amounts(const struct machine *m, const struct options *o,
              const struct plan *p)
{
	struct link_config how = flows_counted(o);
	struct flow *flow = xcalloc(p->n, sizeof *flow);
	double *left = xcalloc(p->n, sizeof *left), time = 0;
	size_t n = p->n;

	for (size_t i = 0; i < n; i++) {
		flow[i] = p->flow[i];
		flow[i].limited_by = NULL;
		left[i] = 1;
	}
	while (n) {
		double step = INFINITY;
		size_t kept = 0;

		machine_share(m, &how, flows_size(o), flow, n);
		for (size_t i = 0; i < n; i++)
			step = fmin(step, left[i] / flow[i].gbit_s);
		time += step;
		for (size_t i = 0; i < n; i++) {
			double rest = left[i] - step * flow[i].gbit_s;

			if (rest < 1e-9) {
				free(flow[i].limited_by);
				continue;
			}
			left[kept] = rest;
			flow[kept++] = flow[i];
		}
		n = kept;
	}
	free(flow);
	free(left);
	return (double)p->n / time;
}

/*
 * What no single transfer exceeded between sockets, or through the root
 * complex, limits each that goes there: as a share of the bound of its links.
 */
static void
limit_crossings(const struct machine *m, const struct options *o,
                struct plan *p)
{
	struct machine plain = *m;

	if (!o->flows.calibrate)
		return;
	plain.ncaps = 0;
	plain.edge = xcalloc(m->nedges, sizeof *plain.edge);
	for (size_t i = 0; i < m->nedges; i++) {
		plain.edge[i] = m->edge[i];
		plain.edge[i].ratio[0] = plain.edge[i].ratio[1] = 1;
	}
	for (size_t i = 0; i < p->n; i++) {
		struct flow *f = &p->flow[i];

		if (f->crosses)
			f->most_gbit_s =
			    alone(&plain, o, f) * m->reached[f->crosses];
	}
	free(plain.edge);
}

/* Shares the links among the transfers; the patterns of all. */
static unsigned
write_plan(struct out *out, const struct machine *m, const struct options *o,
           struct plan *p)
{
	struct link_config how = flows_counted(o);
	unsigned all = 0;
	double total = 0;

	limit_crossings(m, o, p);
	machine_share(m, &how, flows_size(o), p->flow, p->n);
	for (size_t i = 0; i < p->n; i++) {
		unsigned pattern = patterns(m, p, i);

		write_flow(out, p, i, alone(m, o, &p->flow[i]), pattern);
		total += p->flow[i].gbit_s;
		all |= pattern;
	}
	if (p->n > 1) {
		write_total(out, p, "", total);
		write_total(out, p, "equal amounts", equal_amounts(m, o, p));
	}
	return all;
}

static void
say_patterns(unsigned all)
{
	if (all & POSTED_WRITES_PART)
		warn("posted_writes_part: writes through one uplink to several "
		     "places behind it; on some switches such sets fell to a "
		     "tenth and less, so measure this one");
	if (all & ALL_TO_ALL)
		warn("all_to_all: published sets of this kind reached 0.56 to "
		     "0.64 of these rates in one switch, 0.86 where uplinks "
		     "limit");
}

static unsigned
write_sets(struct out *out, const struct machine *m, const struct options *o)
{
	char *file = (char *)o->flows.set;
	struct table *t = table_open(&file, 1);
	struct plan p = {.set = ""};
	unsigned all = 0;

	while (table_next(t)) {
		char *set = xstrdup(optional_text(t, "set"));

		p.set = set;
		add_words(&p, m, need_text(t, "flows"));
		all |= write_plan(out, m, o, &p);
		plan_clear(&p);
		free(set);
	}
	table_close(t);
	return all;
}

int
run_flows(struct out *out, const struct options *o)
{
	static const char *const names[] = {
	    "kind",         "set",        "from",    "to",   "bandwidth_gbit_s",
	    "alone_gbit_s", "limited_by", "crosses", "flags"};
	struct preamble pre = {0};
	struct machine *m;
	struct plan p = {.set = ""};
	unsigned all;

	if (!o->flows.set && !o->flows.all_pairs && !o->flows.each &&
	    !o->nfiles)
		die_usage("flows needs transfers such as 'gpu0>gpu4', or "
		          "--all-pairs, --each or --set");
	m = flows_machine(o);
	preamble_set(&pre, "tool", "pcb-model %s", program_version);
	preamble_add_command(&pre);
	out->preamble = &pre;
	if (!o->flows.set) {
		for (size_t i = 0; i < o->nfiles; i++)
			add_words(&p, m, o->files[i]);
		if (o->flows.all_pairs || o->flows.each)
			add_devices(&p, m, o);
	}
	out_begin(out, names, ARRAY_LEN(names));
	all = o->flows.set ? write_sets(out, m, o) : write_plan(out, m, o, &p);
	out_finish(out, true, NULL);
	say_patterns(all);
	if (m->tree)
		warn("gpu0, gpu1 ... count in the order of buses, as "
		     "nvidia-smi does; CUDA's own order may differ");
	plan_clear(&p);
	preamble_free(&pre);
	machine_free(m);
	return STATUS_OK;
}

/* Measured cells ----------------------------------------------------------- */

/* "gpu0", "cpu0", "G0", "C0" and names as in machine_find; false: none. */
static bool
find_end(const struct machine *m, const char *text, size_t *node)
{
	bool cpu = *text == 'C' || !strncmp(text, "cpu", 3);
	const char *digits = text + strcspn(text, "0123456789");
	char *name = xasprintf("%s%s", cpu ? "node" : "gpu", digits);

	*node = machine_find(m, text);
	if (*node == MACHINE_NONE && *digits &&
	    !digits[strspn(digits, "0123456789")] && strchr("CcGg", *text))
		*node = machine_find(m, name);
	free(name);
	return *node != MACHINE_NONE || cpu || !strcmp(text, "host");
}

static void
cell_add(struct cell *c, size_t from, size_t to)
{
	c->flow[c->n++] = (struct flow){.from = from, .to = to};
}

bool
cell_of_row(struct cell *c, const struct machine *m, const struct table *t)
{
	const char *bench = optional_text(t, "bench");
	const char *from = optional_text(t, "from"), *to;
	bool both = strstr(bench, "bidir") != NULL, known;
	bool staged = !strcmp(optional_text(t, "p2p"), "off");
	size_t a = MACHINE_NONE, b = MACHINE_NONE;

	*c = (struct cell){.sum = both};
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
	known = *from && *to && find_end(m, from, &a) && find_end(m, to, &b);
	if (!known || a == b || (is_memory(m, a) && is_memory(m, b)))
		return false;
	for (int way = 0; way < 1 + both; way++) {
		if (staged)
			cell_add(c, way ? b : a, MACHINE_NONE);
		cell_add(c, staged ? MACHINE_NONE : way ? b : a, way ? a : b);
	}
	for (size_t i = 0; i < c->n; i++) {
		if (complete(m, &c->flow[i])) {
			cell_free(c);
			return false;
		}
	}
	return true;
}

void
cell_share(struct cell *c, const struct machine *m, const struct options *o)
{
	struct link_config how = flows_counted(o);
	size_t staged = c->n / (c->sum ? 2 : 1), slow = 0;

	machine_share(m, &how, flows_size(o), c->flow, c->n);
	c->gbit_s = 0;
	/* The halves of a staged copy run at the rate of the slower one. */
	for (size_t i = 0; i < c->n; i += staged) {
		double least = c->flow[i].gbit_s;

		for (size_t k = i; k < i + staged; k++) {
			least = fmin(least, c->flow[k].gbit_s);
			if (c->flow[k].gbit_s < c->flow[slow].gbit_s)
				slow = k;
		}
		c->gbit_s += least;
	}
	c->limit = &c->flow[slow];
}

void
cell_free(struct cell *c)
{
	for (size_t i = 0; i < c->n; i++)
		flow_free(&c->flow[i]);
	c->n = 0;
}

size_t
path_of(const struct machine *m, const struct flow *f)
{
	size_t links = 0;

	for (size_t i = 0; i < f->n; i++)
		links += m->edge[f->step[i].edge].kind == EDGE_LINK;
	return f->crosses ? 1 + f->crosses : links > 2;
}
