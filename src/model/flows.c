/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets of transfers of a machine: shares the links among them, and writes the
 * rates.
 */
#include "model/options.h"

#include "common/base/nearest.h"
#include "common/base/util.h"
#include "common/doctor/doctor.h"
#include "common/sys/sysfs.h"

#include <math.h>

struct flow_rules
flows_rules(const struct options *o)
{
	return (struct flow_rules){.how = link_config_of(&o->link),
	                           .size = o->sweep.size.value[0],
	                           .forward = (unsigned)o->flows.forward};
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

/* The machine -------------------------------------------------------------- */

size_t
flows_node(const struct machine *m, const char *name)
{
	struct nearest nearest = {.typed = name};
	size_t node = machine_find(m, name);

	if (node != MACHINE_NONE)
		return node;
	nearest_offer(&nearest, "host");
	for (size_t i = 0; i < m->nnodes; i++)
		nearest_offer(&nearest, machine_name(m, i));
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
	struct flow_rules rules = flows_rules(o);

	while (table_next(t)) {
		ptrdiff_t column = table_find(t, "bandwidth_gbit_s");
		double ratio;
		struct cell c;

		if (!*table_text(t, column) || !cell_of_row(&c, m, &rules, t))
			continue;
		ratio = table_number(t, (size_t)column) / c.gbit_s;
		for (size_t i = 0; c.n == 1 && ratio > 0 && i < c.flow->n;
		     i++) {
			size_t edge = c.flow->step[i].edge;
			size_t down = c.flow->step[i].down;
			double *at = &best[2 * edge + down];
			double bound = flows_bound(m, o, edge, down);

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

/* Dies if the port of "gpu3=00:03.1" has another device: it has one link. */
static void
need_room(const struct machine *m, const char *text)
{
	const char *place = strrchr(text, '=') + 1;
	char *name = xasprintf("%.*s", (int)(place - 1 - text), text);
	size_t device = flows_node(m, name), port = flows_node(m, place);

	free(name);
	for (size_t i = 0; i < m->nedges && m->node[port].function; i++) {
		const struct machine_edge *e = &m->edge[i];

		if (e->above == port && e->below != device &&
		    e->kind == EDGE_LINK)
			die_usage("--move '%s': %s is there: move it, too",
			          text, machine_name(m, e->below));
	}
}

/* Links that may be at fault, since all that use them look normal then. */
static void
say_narrow(const struct machine *m)
{
	char *list = NULL;
	size_t n = 0;

	for (size_t i = 0; i < m->nnodes; i++) {
		const struct pci_function *f = m->node[i].function;

		if (!f || !doctor_is_narrow(m->tree, f))
			continue;
		if (n++ < 4)
			xappend(
			    &list, ", ", "%s has x%u, both ends support x%u",
			    machine_name(m, i), f->pcie.lanes, f->could_lanes);
	}
	if (n)
		warn("%zu link%s with too few lanes%s: %s; pcb-doctor says "
		     "what may help",
		     n, n == 1 ? "" : "s", n > 4 ? ", the first" : "", list);
	free(list);
}

/* What is not known of the links of a dump (NULL: of this machine). */
static void
say_unknown(const struct machine *m, const char *dump)
{
	if (m->no_link)
		warn("functions left out, because their links cannot be read: "
		     "%zu (%s)",
		     m->no_link,
		     dump ? "a dump needs lspci -vv by root" : "run as root");
	if (m->told)
		warn("nvidia-smi or the kernel's log tells of %zu link%s and "
		     "of nothing above: what shares a link is not known",
		     m->told, m->told == 1 ? "" : "s");
	if (m->unknown)
		warn("links of which only the place is known: %zu", m->unknown);
	if (m->supposed)
		warn("links as both ends support them, since what they run at "
		     "is unknown: %zu",
		     m->supposed);
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
		m = machine_of_facts(tree);
	}
	say_unknown(m, dump);
	if (m->tree && machine_find(m, "gpu1") != MACHINE_NONE)
		warn("gpu0, gpu1 ... count in the order of buses, as "
		     "nvidia-smi does; CUDA's own order may differ");
	if (m->tree)
		say_narrow(m);
	for (size_t i = 0; i < m->nedges; i++) {
		if (m->edge[i].link.assumed) {
			link_say_assumed(&m->edge[i].link);
			break;
		}
	}
	for (size_t i = 0; i < f->move.n; i++)
		change(m, "--move", f->move.text[i]);
	for (size_t i = 0; i < f->move.n; i++)
		need_room(m, f->move.text[i]);
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

/* MACHINE_NONE is the host. */
static void
add_flow(struct plan *p, const struct machine *m, const char *from, size_t a,
         const char *to, size_t b, bool reads)
{
	struct flow f = {.from = a, .to = b, .reads = reads};
	const char *why = flow_complete(m, &f);
	size_t n = p->n;

	if (why)
		die("'%s%s%s': %s", reads ? to : from, reads ? "<" : ">",
		    reads ? from : to, why);
	p->flow = with_room(p->flow, n, sizeof *p->flow);
	p->ends = with_room(p->ends, n, sizeof *p->ends);
	p->flow[n] = f;
	p->ends[n] = (struct ends){xstrdup(from), xstrdup(to)};
	p->n++;
}

static size_t
end_named(const struct machine *m, const char *name)
{
	return strcmp(name, "host") ? flows_node(m, name) : MACHINE_NONE;
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
		const char *from, *to;

		if (!n || !word[n] || !word[n + 1])
			die_usage("'%s': not a transfer such as 'gpu0>gpu4' "
			          "(quoted, because of the shell)",
			          word);
		word[n - (word[n - 1] == '-')] = word[n] = '\0';
		from = reads ? word + n + 1 : word;
		to = reads ? word : word + n + 1;
		add_flow(p, m, from, end_named(m, from), to, end_named(m, to),
		         reads);
	}
	free(copy);
}

/* Those of -d; else all GPUs, or without a GPU all other devices. Free it. */
static bool *
choose(const struct machine *m, const struct options *o)
{
	bool *chosen = xcalloc(m->nnodes + 1, sizeof *chosen);
	bool gpus = machine_find(m, "gpu0") != MACHINE_NONE;

	for (char **name = o->flows.devices; name && *name; name++)
		chosen[flows_node(m, *name)] = true;
	for (size_t i = 0; !o->flows.devices && i < m->nnodes; i++)
		chosen[i] = gpus ? m->node[i].class == CLASS_GPU
		                 : m->node[i].class != CLASS_OTHER;
	return chosen;
}

/* --all-pairs: each device to each; --each: each to NAME, or from "NAME>". */
static void
add_devices(struct plan *p, const struct machine *m, const struct options *o)
{
	const char *each = o->flows.each ? o->flows.each : "";
	size_t length = strcspn(each, ">");
	char *other = xasprintf("%.*s", (int)length, each);
	size_t end = *each ? end_named(m, other) : MACHINE_NONE;
	bool back = each[length] == '>', *chosen = choose(m, o);

	for (size_t i = 0; i < m->nnodes; i++) {
		const char *name = machine_name(m, i);

		if (!chosen[i])
			continue;
		if (*each && i != end && back)
			add_flow(p, m, other, end, name, i, false);
		else if (*each && i != end)
			add_flow(p, m, name, i, other, end, false);
		for (size_t k = 0; o->flows.all_pairs && k < m->nnodes; k++) {
			if (k != i && chosen[k])
				add_flow(p, m, name, i, machine_name(m, k), k,
				         false);
		}
	}
	free(other);
	free(chosen);
	if (p->n)
		return;
	warn("no GPU, drive or NIC with a link: name devices with -d");
	exit(STATUS_ABSENT);
}

enum { POSTED_WRITES_PART = 1, ALL_TO_ALL = 2 };
static const char *const patterns[] = {"", "posted_writes_part", "all_to_all",
                                       "posted_writes_part all_to_all"};

/* A write past an uplink: the uplink, the last step, and the one after. */
struct passing {
	size_t uplink, step, next; /* 2 e, down 2 e + 1; next SIZE_MAX: none */
	size_t flow;
};

static int
by_passing(const void *a, const void *b)
{
	const struct passing *x = a, *y = b;

	return x->uplink != y->uplink ? (x->uplink < y->uplink ? -1 : 1)
	       : x->step != y->step   ? (x->step < y->step ? -1 : 1)
	                            : (x->next > y->next) - (x->next < y->next);
}

/*
 * Marks the writes through the root complex that go through one uplink, above
 * the devices' own ports, with others, and part from them behind it.
 */
static void
mark_parting(const struct machine *m, const struct plan *p, unsigned flags[])
{
	struct passing *all = NULL;
	size_t n = 0, end;

	for (size_t k = 0; k < p->n; k++) {
		const struct flow *f = &p->flow[k];
		size_t uplink = SIZE_MAX;

		for (size_t i = 1; !f->reads && i < f->n; i++) {
			const struct route_step *s = &f->step[i];
			size_t at = 2 * s->edge + s->down;

			if (m->edge[s->edge].kind == EDGE_LINK)
				uplink = s->down ? SIZE_MAX : at;
			if (uplink != SIZE_MAX)
				array_push(all, n,
				           (struct passing){
				               uplink, at,
				               i + 1 < f->n
				                   ? 2 * s[1].edge + s[1].down
				                   : SIZE_MAX,
				               k});
		}
	}
	if (n)
		qsort(all, n, sizeof *all, by_passing);
	for (size_t i = 0; i < n; i = end) {
		bool part = false;

		for (end = i; end < n && all[end].uplink == all[i].uplink &&
		              all[end].step == all[i].step;
		     end++)
			part |= all[end].next != all[i].next;
		for (size_t k = i; part && k < end; k++) {
			if (all[k].next != SIZE_MAX &&
			    p->flow[all[k].flow].crosses)
				flags[all[k].flow] |= POSTED_WRITES_PART;
		}
	}
	free(all);
}

/* The other ends of the transfers of a node. */
struct others {
	size_t one;
	bool any, many;
};

static void
take_other(struct others *o, size_t node)
{
	o->many |= o->any && o->one != node;
	o->one = node;
	o->any = true;
}

static int
by_ends(const void *a, const void *b)
{
	const struct flow *x = a, *y = b;

	return x->from != y->from ? (x->from < y->from ? -1 : 1)
	                          : (x->to > y->to) - (x->to < y->to);
}

/* Marks transfers between devices of which each sends to and gets from many. */
static void
mark_all_to_all(const struct machine *m, const struct plan *p, unsigned flags[])
{
	struct others *to = xcalloc(m->nnodes + 1, sizeof *to);
	struct others *from = xcalloc(m->nnodes + 1, sizeof *from);
	struct flow *sorted = xcalloc(p->n, sizeof *sorted);

	for (size_t i = 0; i < p->n; i++) {
		const struct flow *f = sorted + i;

		sorted[i] = p->flow[i];
		if (f->from != MACHINE_NONE)
			take_other(&to[f->from], f->to);
		if (f->to != MACHINE_NONE)
			take_other(&from[f->to], f->from);
	}
	qsort(sorted, p->n, sizeof *sorted, by_ends);
	for (size_t i = 0; i < p->n; i++) {
		const struct flow *f = &p->flow[i];
		struct flow back = {.from = f->to, .to = f->from};

		if (!machine_is_memory(m, f->from) &&
		    !machine_is_memory(m, f->to) && to[f->from].many &&
		    from[f->to].many &&
		    bsearch(&back, sorted, p->n, sizeof back, by_ends))
			flags[i] |= ALL_TO_ALL;
	}
	free(to);
	free(from);
	free(sorted);
}

/*
 * All data over all time if each transfer moves as much and the time ends with
 * the last: those that run on share what the others leave.
 */
static double
equal_amounts(const struct machine *m, const struct flow_rules *rules,
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

		flows_share(m, rules, flow, n);
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
	unsigned *flags = xcalloc(p->n, sizeof *flags), all = 0;
	struct flow_rules rules = flows_rules(o);
	double total = 0;

	for (size_t i = 0; i < p->n; i++)
		flow_set_forward(m, &rules, &p->flow[i]);
	flows_share(m, &rules, p->flow, p->n);
	mark_parting(m, p, flags);
	mark_all_to_all(m, p, flags);
	for (size_t i = 0; i < p->n; i++) {
		const struct flow *f = &p->flow[i];
		struct flow alone = *f;

		flows_share(m, &rules, &alone, 1);
		write_row(out, set, p->ends[i].from, p->ends[i].to, f->gbit_s,
		          alone.gbit_s, f, flags[i]);
		total += f->gbit_s;
		all |= flags[i];
	}
	if (p->n > 1) {
		write_row(out, set, "total", "", total, NAN, NULL, 0);
		write_row(out, set, "total", "equal amounts",
		          equal_amounts(m, &rules, p), NAN, NULL, 0);
	}
	for (size_t i = 0; i < p->n; i++) {
		free(p->flow[i].step);
		free(p->ends[i].from);
		free(p->ends[i].to);
	}
	free(flags);
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
