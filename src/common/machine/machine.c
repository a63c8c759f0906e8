/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds the graph of a machine from its functions, or from a file. */
#include "common/machine/machine.h"

#include "common/base/number.h"
#include "common/base/util.h"

#include <limits.h>
#include <pci/pci.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct link usual = {BUS_PCIE,   .gen = 3,    .lanes = 1,
                                  .mps = 256, .mrrs = 512, .rcb = 64};

static size_t
add_node(struct machine *m, char *name)
{
	array_push(m->node, m->nnodes,
	           (struct machine_node){
	               .name = name, .set = usual, .up = MACHINE_NONE});
	return m->nnodes - 1;
}

static struct machine_edge *
add_edge(struct machine *m, size_t below, size_t above, enum edge_kind kind)
{
	array_push(m->edge, m->nedges,
	           (struct machine_edge){below, above, kind, .ratio = {1, 1}});
	m->node[above].inner = true;
	if (kind == EDGE_SOCKET)
		return &m->edge[m->nedges - 1];
	if (m->node[below].up == MACHINE_NONE)
		m->node[below].up = m->nedges - 1;
	return &m->edge[m->nedges - 1];
}

static size_t
find_node(const struct machine *m, const char *name)
{
	for (size_t i = 0; i < m->nnodes; i++) {
		if (!strcmp(m->node[i].name, name))
			return i;
	}
	return MACHINE_NONE;
}

/* From functions ----------------------------------------------------------- */

static enum machine_class
class_of(const struct pci_function *f)
{
	switch (f->class_code >> 16) {
	case 0x0300:
	case 0x0302:
	case 0x0380:
	case 0x1200:
		return CLASS_GPU;
	case 0x0108:
		return CLASS_NVME;
	case 0x0200:
	case 0x0207:
	case 0x0280:
		return CLASS_NIC;
	default:
		return CLASS_OTHER;
	}
}

/* A listing without numbers has the vendor in its title. */
static unsigned
vendor_rank(const struct pci_function *f)
{
	const char *title = f->title ? f->title : "";

	if (f->vendor_id == 0x10de || strstr(title, "NVIDIA"))
		return 2;
	return f->vendor_id == 0x1002 ||
	       strstr(title, "Advanced Micro Devices");
}

/* Numbers the devices of a class; only the GPUs of the first vendor. */
static void
number_devices(struct machine *m)
{
	size_t n[CLASS_NIC + 1] = {0};
	unsigned rank = 0;

	for (size_t i = 0; i < m->nnodes; i++) {
		const struct machine_node *node = &m->node[i];

		if (node->function && node->class == CLASS_GPU &&
		    vendor_rank(node->function) > rank)
			rank = vendor_rank(node->function);
	}
	for (size_t i = 0; i < m->nnodes; i++) {
		struct machine_node *node = &m->node[i];

		if (node->function && node->class == CLASS_GPU &&
		    vendor_rank(node->function) < rank)
			node->class = CLASS_OTHER;
		node->number = n[node->class]++;
	}
}

static unsigned
max_gen(const struct pci_function *f)
{
	unsigned gen =
	    register_field(&f->registers, REG_LNKCAP, PCI_EXP_LNKCAP_SPEED);

	return gen > 7 ? 0 : gen;
}

static unsigned
least(unsigned a, unsigned b)
{
	return !a || (b && b < a) ? b : a;
}

/* Whether a GPU is below, which lowers the rate of idle links. */
static bool
leads_to_gpu(const struct pci_tree *tree, const struct pci_function *above)
{
	for (size_t i = 0; i < tree->n; i++) {
		if (class_of(&tree->function[i]) == CLASS_GPU &&
		    pci_is_below(tree, &tree->function[i], above))
			return true;
	}
	return false;
}

/*
 * Sets the link of an edge. A target below the rate that both ends can, but
 * above that of the moment, is a limit that firmware has set.
 */
static void
set_link(struct machine_edge *e, const struct pci_tree *tree,
         const struct pci_function *f, const struct pci_function *port)
{
	unsigned can, target;

	e->link = f->link;
	if (!port || e->link.bus != BUS_PCIE)
		return;
	can = least(max_gen(f), max_gen(port));
	target = register_field(&port->registers, REG_LNKCTL2, 0xf);
	if (target > f->link.gen)
		can = least(can, target);
	if (can <= f->link.gen || !leads_to_gpu(tree, f))
		return;
	e->now = f->link.gen;
	e->link.gen = can;
	e->link.flit |= can > 5;
}

/* The node of a root bus, below that of its NUMA node. */
static size_t
root_bus(struct machine *m, const struct pci_function *f)
{
	struct bdf_numbers at = bdf_split(f->bdf);
	char *name = xasprintf("pci%04x:%02x", at.domain, at.bus), *memory;
	size_t bus = find_node(m, name), above;

	if (bus != MACHINE_NONE) {
		free(name);
		return bus;
	}
	bus = add_node(m, name);
	memory = f->node < 0 ? xstrdup("memory") : xasprintf("node%d", f->node);
	above = find_node(m, memory);
	if (above == MACHINE_NONE) {
		above = add_node(m, memory);
		m->node[above].root = m->node[above].memory = true;
		for (size_t i = 0; i < above; i++) {
			if (m->node[i].memory)
				add_edge(m, i, above, EDGE_SOCKET);
		}
	} else {
		free(memory);
	}
	m->node[bus].root = true;
	add_edge(m, bus, above, EDGE_ROOT);
	return bus;
}

/*
 * The node that already stands for a function: below a port there is one
 * device, whose functions share a link.
 */
static size_t
shared_node(const struct machine *m, const struct pci_function *f,
            const struct pci_function *port)
{
	if (!port || (port->pcie.port != PORT_ROOT &&
	              port->pcie.port != PORT_DOWNSTREAM))
		return MACHINE_NONE;
	for (size_t i = m->nnodes; i--;) {
		const struct pci_function *other = m->node[i].function;

		if (other && !strcmp(other->parent, f->parent))
			return i;
	}
	return MACHINE_NONE;
}

static bool
has_place(const struct pci_function *f)
{
	switch (f->pcie.port) {
	case PORT_ROOT:
	case PORT_DOWNSTREAM:
		return true;
	case PORT_INTEGRATED:
		return class_of(f) != CLASS_OTHER;
	default:
		return f->link.bus == BUS_PCIE;
	}
}

static size_t
add_function(struct machine *m, const struct pci_function *f)
{
	const struct pci_tree *tree = m->tree;
	const struct pci_function *port = pci_find(tree, f->parent);
	size_t above = port ? m->node_of[port - tree->function] : MACHINE_NONE;
	size_t same = shared_node(m, f, port), node;
	struct machine_edge *e;

	if (same != MACHINE_NONE || !has_place(f) ||
	    (port && above == MACHINE_NONE)) {
		m->no_link +=
		    same == MACHINE_NONE && (f->pcie.port == PORT_UNSEEN ||
		                             f->pcie.port == PORT_ENDPOINT);
		return same;
	}
	if (!port)
		above = root_bus(m, f);
	node = add_node(m, xstrdup(f->bdf));
	m->node[node].function = f;
	m->node[node].class = class_of(f);
	m->node[node].root = f->pcie.port == PORT_INTEGRATED;
	if (f->link.bus == BUS_PCIE)
		m->node[node].set = f->link;
	if (f->pcie.mps)
		m->node[node].set.mps = f->pcie.mps;
	if (f->pcie.rcb)
		m->node[node].set.rcb = f->pcie.rcb;
	m->node[node].set.ecrc |= f->pcie.ecrc == TRISTATE_YES;
	e = add_edge(m, node, above,
	             f->pcie.port == PORT_DOWNSTREAM ? EDGE_CHIP
	             : f->link.bus == BUS_PCIE       ? EDGE_LINK
	                                             : EDGE_ROOT);
	set_link(e, tree, f, port);
	return node;
}

struct machine *
machine_of_tree(struct pci_tree *tree)
{
	struct machine *m = xcalloc(1, sizeof *m);

	m->tree = tree;
	m->node_of = xcalloc(tree->n + 1, sizeof *m->node_of);
	/* A parent is on a lower bus, so it comes first. */
	for (size_t i = 0; i < tree->n; i++)
		m->node_of[i] = add_function(m, &tree->function[i]);
	number_devices(m);
	return m;
}

/* From a file -------------------------------------------------------------- */

/* NULL, or why the text is no kind of link. */
static const char *
parse_kind(const char *text, enum edge_kind *kind, struct link *link)
{
	static const struct {
		const char *word;
		enum edge_kind kind;
	} words[] = {
	    {"fabric", EDGE_CHIP}, {"if", EDGE_ROOT},     {"dram", EDGE_ROOT},
	    {"upi", EDGE_SOCKET},  {"xgmi", EDGE_SOCKET},
	};

	*link = usual;
	*kind = EDGE_LINK;
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		if (!strcmp(text, words[i].word)) {
			*kind = words[i].kind;
			return NULL;
		}
	}
	if (link_parse_brief(text, link) || why_no_model(link))
		return "a link is such as gen4x16, or fabric, if, dram, xgmi, "
		       "upi";
	return NULL;
}

static size_t
named(struct machine *m, const char *name)
{
	size_t node = find_node(m, name);
	size_t digits = strspn(name + 1, "0123456789");

	if (node != MACHINE_NONE)
		return node;
	node = add_node(m, xstrdup(name));
	if (digits && !name[1 + digits])
		m->node[node].class = *name == 'g'   ? CLASS_GPU
		                      : *name == 's' ? CLASS_NVME
		                                     : CLASS_OTHER;
	return node;
}

/* NULL, or why the line is refused. `known` has the nodes with a line. */
static const char *
take_line(struct machine *m, const char *line, bool **known)
{
	/* A name that fills its array may have been cut. */
	char word[8] = "", a[65] = "", b[65] = "", text[65] = "", more[2] = "";
	int n = sscanf(line, "%7s %64s %64s %64s %1s", word, a, b, text, more);
	bool is_node = !strcmp(word, "node");
	size_t before = m->nnodes, below, above;
	enum edge_kind kind;
	struct link link;
	const char *why;

	if (n < 1 || *word == '#')
		return NULL;
	if (n != 4 || (!is_node && strcmp(word, "link") != 0))
		return "not of the form 'node NAME PARENT LINK' or 'link NAME "
		       "NAME LINK'";
	if (strlen(a) == 64 || strlen(b) == 64 || strpbrk(a, "<>=") ||
	    strpbrk(b, "<>="))
		return "a name has at most 63 characters, without <, > and =";
	below = named(m, a);
	above = strcmp(b, "-") != 0 ? named(m, b) : MACHINE_NONE;
	*known = xreallocarray(*known, m->nnodes, sizeof **known);
	for (; before < m->nnodes; before++)
		(*known)[before] = false;
	if (is_node && (*known)[below])
		return "this node has a line already";
	(*known)[below] |= is_node;
	if (above == MACHINE_NONE)
		return is_node && !strcmp(text, "-") ? NULL
		                                     : "'-' is for a node "
		                                       "without a parent";
	why = parse_kind(text, &kind, &link);
	if (why || below == above)
		return why ? why : "a link has two ends";
	if (!is_node) {
		array_push(m->edge, m->nedges,
		           (struct machine_edge){below, above, kind, link,
		                                 .ratio = {1, 1}});
		return NULL;
	}
	add_edge(m, below, above, kind)->link = link;
	m->node[below].set = kind == EDGE_LINK ? link : usual;
	m->node[below].memory = !strcmp(text, "dram");
	return NULL;
}

/* Parts of the root complex: what has no parent, or none by a link. */
static void
mark_roots(struct machine *m)
{
	for (size_t i = 0; i < m->nnodes; i++) {
		const struct machine_node *node = &m->node[i];

		m->node[i].root = node->up == MACHINE_NONE ||
		                  m->edge[node->up].kind == EDGE_ROOT ||
		                  m->edge[node->up].kind == EDGE_SOCKET;
	}
}

struct machine *
machine_read(const char *file)
{
	FILE *f = strcmp(file, "-") != 0 ? fopen(file, "re") : stdin;
	struct machine *m = xcalloc(1, sizeof *m);
	bool *known = NULL;
	char *line = NULL;
	size_t size = 0, number = 0;

	if (!f)
		die_sys("%s", file);
	while (getline(&line, &size, f) >= 0) {
		const char *why = take_line(m, line, &known);

		number++;
		if (why)
			die("%s:%zu: %s", file, number, why);
	}
	if (ferror(f))
		die_sys("%s", file);
	for (size_t i = 0; i < m->nnodes; i++) {
		if (!known[i])
			die("%s: no line 'node %s ...'", file, m->node[i].name);
	}
	if (!m->nnodes)
		die("%s: no line 'node NAME PARENT LINK'", file);
	free(line);
	free(known);
	if (f != stdin)
		fclose(f);
	mark_roots(m);
	number_devices(m);
	return m;
}

void
machine_free(struct machine *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->nnodes; i++)
		free(m->node[i].name);
	for (size_t i = 0; i < m->ncaps; i++)
		free(m->cap[i].name);
	free(m->node);
	free(m->edge);
	free(m->cap);
	free(m->node_of);
	pci_tree_free(m->tree);
	free(m);
}

/* Names -------------------------------------------------------------------- */

static const char *const class_words[] = {NULL, "gpu", "nvme", "nic"};

static size_t
find_numbered(const struct machine *m, const char *text)
{
	for (enum machine_class c = CLASS_GPU; c <= CLASS_NIC; c++) {
		size_t length = strlen(class_words[c]);
		uint64_t number;

		if (strncmp(text, class_words[c], length) != 0 ||
		    parse_integer(text + length, &number))
			continue;
		for (size_t i = 0; i < m->nnodes; i++) {
			if (m->node[i].class == c &&
			    m->node[i].number == number)
				return i;
		}
	}
	return MACHINE_NONE;
}

size_t
machine_find(const struct machine *m, const char *text)
{
	size_t node = find_node(m, text);
	struct pci_matches found = {0};

	if (node == MACHINE_NONE && m->tree &&
	    !pci_match(m->tree, text, &found) && found.n == 1)
		node = m->node_of[found.item[0] - m->tree->function];
	free(found.item);
	return node == MACHINE_NONE ? find_numbered(m, text) : node;
}

const char *
machine_name(const struct machine *m, size_t node)
{
	static char name[4][32];
	static unsigned turn;
	const struct machine_node *n = &m->node[node];
	bool plain = !strncmp(n->name, "0000:", 5);

	if (!n->function || n->class == CLASS_OTHER)
		return n->name + (plain && n->function ? 5 : 0);
	turn = (turn + 1) % ARRAY_LEN(name);
	snprintf(name[turn], sizeof name[turn], "%s%zu", class_words[n->class],
	         n->number);
	return name[turn];
}

/* Changes ------------------------------------------------------------------ */

const char *
machine_move(struct machine *m, size_t device, size_t below)
{
	struct machine_node *node = &m->node[device], *to = &m->node[below];
	const struct pci_function *port = to->function;
	struct machine_edge *e;
	unsigned gen, lanes;

	if (node->up == MACHINE_NONE || m->edge[node->up].kind != EDGE_LINK)
		return "it has no link";
	for (size_t i = below;; i = m->edge[m->node[i].up].above) {
		if (i == device)
			return "the place is below the device";
		if (m->node[i].up == MACHINE_NONE)
			break;
	}
	e = &m->edge[node->up];
	e->above = below;
	to->inner = true;
	if (!node->function || !port)
		return NULL;
	if (port->pcie.port != PORT_ROOT && port->pcie.port != PORT_DOWNSTREAM)
		return "the place is no root port and no port of a switch";
	gen = least(max_gen(node->function), max_gen(port));
	lanes = least(
	    register_field(&node->function->registers, REG_LNKCAP,
	                   PCI_EXP_LNKCAP_WIDTH) >>
	        0,
	    register_field(&port->registers, REG_LNKCAP, PCI_EXP_LNKCAP_WIDTH));
	if (gen)
		e->link.gen = gen;
	if (lanes)
		e->link.lanes = lanes;
	e->link.flit = e->link.gen > 5;
	e->now = 0;
	return NULL;
}

const char *
machine_add_cap(struct machine *m, const char *name, double gbit_s)
{
	size_t length = strcspn(name, ">");
	char *first = xasprintf("%.*s", (int)length, name);
	struct machine_cap cap = {.from = machine_find(m, first),
	                          .to = MACHINE_NONE,
	                          .socket = !strcmp(name, "socket"),
	                          .gbit_s = gbit_s};

	free(first);
	if (name[length])
		cap.to = machine_find(m, name + length + 1);
	if (!cap.socket && (cap.from == MACHINE_NONE ||
	                    (name[length] && cap.to == MACHINE_NONE)))
		return "not a node, A>B or socket; pcb-model tree lists nodes";
	cap.name = xstrdup(name);
	array_push(m->cap, m->ncaps, cap);
	return NULL;
}
