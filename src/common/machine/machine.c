/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds the graph of a machine from its functions, or from a file. */
#include "common/machine/machine.h"

#include "common/base/intmath.h"
#include "common/base/util.h"
#include "common/machine/told.h"

#include <pci/pci.h>

static const struct link usual = {BUS_PCIE,   .gen = 3,    .lanes = 1,
                                  .mps = 256, .mrrs = 512, .rcb = 64};

static size_t
find_node(const struct machine *m, const char *name)
{
	for (size_t i = 0; i < m->nnodes; i++) {
		if (!strcasecmp(m->node[i].name, name))
			return i;
	}
	return MACHINE_NONE;
}

static size_t
add_node(struct machine *m, const char *name)
{
	m->node = with_room(m->node, m->nnodes, sizeof *m->node);
	m->node[m->nnodes++] = (struct machine_node){
	    .name = xstrdup(name), .set = usual, .up = MACHINE_NONE};
	return m->nnodes - 1;
}

static struct machine_edge *
add_edge(struct machine *m, size_t below, size_t above, enum edge_kind kind)
{
	m->edge = with_room(m->edge, m->nedges, sizeof *m->edge);
	m->edge[m->nedges++] =
	    (struct machine_edge){below, above, kind, .ratio = {1, 1}};
	return &m->edge[m->nedges - 1];
}

static struct machine_edge *
add_below(struct machine *m, size_t below, size_t above, enum edge_kind kind)
{
	m->node[above].inner = true;
	m->node[below].up = m->nedges;
	return add_edge(m, below, above, kind);
}

size_t
machine_above(const struct machine *m, size_t node)
{
	size_t up = m->node[node].up;

	return up == MACHINE_NONE ? up : m->edge[up].above;
}

/* From functions ----------------------------------------------------------- */

/* NVIDIA, AMD, others. A listing without numbers has names. */
static unsigned
rank_of(const struct machine_node *n)
{
	const struct pci_function *f = n->function;
	const char *title = f && f->title ? f->title : "";

	if (!f || n->class != CLASS_GPU)
		return 0;
	if (f->vendor_id == 0x10de || strstr(title, "NVIDIA"))
		return 3;
	return f->vendor_id == 0x1002 || strstr(title, "Advanced Micro D") ? 2
	                                                                   : 1;
}

static const char *const class_words[] = {"", "gpu", "nvme", "nic"};

/* Numbers the devices of each class; only GPUs of the first vendor count. */
static void
number_devices(struct machine *m)
{
	size_t n[CLASS_NIC + 1] = {0};
	unsigned rank = 0;

	for (size_t i = 0; i < m->nnodes; i++) {
		if (rank_of(&m->node[i]) > rank)
			rank = rank_of(&m->node[i]);
	}
	for (size_t i = 0; i < m->nnodes; i++) {
		struct machine_node *node = &m->node[i];

		if (node->class == CLASS_GPU && rank_of(node) < rank)
			node->class = CLASS_OTHER;
		node->number = n[node->class]++;
		if (node->class)
			node->short_name = xasprintf(
			    "%s%zu", class_words[node->class], node->number);
	}
}

static bool
share_bus(const struct pci_function *a, const struct pci_function *b)
{
	const char *device = strrchr(a->bdf, ':');

	return device &&
	       !strncmp(a->bdf, b->bdf, (size_t)(device + 1 - a->bdf));
}

/* A listing has the NUMA node of some functions only: -1 if it is unclear. */
static int
numa_node(const struct machine *m, const struct pci_function *f)
{
	const struct pci_function *end = m->tree->function + m->tree->n;

	while (f > m->tree->function && share_bus(f - 1, f))
		f--;
	while (f->node < 0 && f + 1 < end && share_bus(f, f + 1))
		f++;
	return f->node < 0 ? m->only_node : f->node;
}

/* The node of a root bus, or "pci?" or "pci?0", below that of its NUMA node. */
static size_t
root_bus(struct machine *m, const struct pci_function *f, bool unknown)
{
	struct bdf_numbers at = bdf_split(f->bdf);
	int node = numa_node(m, f);
	size_t bus = m->nnodes, above;
	char name[32], memory[32] = "memory";

	if (unknown && node >= 0)
		snprintf(name, sizeof name, "pci?%d", node);
	else
		snprintf(name, sizeof name, unknown ? "pci?" : "pci%04x:%02x",
		         at.domain, at.bus);
	/* Behind it are at most the functions of its bus. */
	while (bus && m->nnodes - bus <= 256) {
		if (!strcmp(m->node[--bus].name, name))
			return bus;
	}
	if (node >= 0)
		snprintf(memory, sizeof memory, "node%d", node);
	above = find_node(m, memory);
	if (above == MACHINE_NONE) {
		above = add_node(m, memory);
		m->node[above].root = m->node[above].memory = true;
		for (size_t i = 0; i < above; i++) {
			bool known = node >= 0 && m->node[i].name[0] == 'n';

			if (m->node[i].memory)
				add_edge(m, i, above,
				         known ? EDGE_SOCKET : EDGE_ROOT);
		}
	}
	bus = add_node(m, name);
	m->node[bus].root = true;
	add_below(m, bus, above, EDGE_ROOT);
	return bus;
}

/* Whether a topology shows that a link is above, but not which one. */
static bool
is_below_link(const struct pci_function *f)
{
	return f->pcie.placed &&
	       (f->pcie.port == PORT_ENDPOINT ||
	        f->pcie.port == PORT_UPSTREAM || f->pcie.port == PORT_TO_PCI);
}

/* A link of which a topology shows only the place: as both ends support it. */
static struct link
supposed_link(struct machine *m, const struct pci_function *f)
{
	struct link link = {
	    .bus = BUS_PCIE, .gen = f->could_gen, .lanes = f->could_lanes};

	if (!is_below_link(f))
		return f->link;
	link_assume(&link);
	if (link_check(&link)) {
		m->unknown++;
		return f->link;
	}
	m->supposed++;
	return link;
}

/* Below a port there is one device, whose functions share a link. */
static size_t
add_function(struct machine *m, const struct pci_function *f)
{
	const struct pci_function *port = f->up;
	size_t above =
	    port ? m->node_of[port - m->tree->function] : MACHINE_NONE;
	enum port is = f->pcie.port, of = port ? port->pcie.port : PORT_NONE;
	struct told told = {0};
	bool is_told = m->tells && machine_told(m->tree, f, &told);
	bool linked = is_told || f->link.bus == BUS_PCIE;
	struct machine_edge *e;
	size_t n;

	for (size_t i = m->nedges; (of == PORT_ROOT || of == PORT_DOWNSTREAM) &&
	                           above != MACHINE_NONE &&
	                           m->node[above].inner && i--;) {
		if (m->edge[i].above == above)
			return m->edge[i].below;
	}
	if ((port && above == MACHINE_NONE) ||
	    !(linked || is == PORT_ROOT || is == PORT_DOWNSTREAM ||
	      is_below_link(f) || (is == PORT_INTEGRATED && pci_class_of(f)))) {
		m->no_link += is == PORT_UNSEEN || is == PORT_ENDPOINT;
		return MACHINE_NONE;
	}
	/* Without its port: the last one told may be of the same device. */
	if (f > m->tree->function &&
	    m->node_of[f - 1 - m->tree->function] != MACHINE_NONE &&
	    (is_below_link(f)
	         ? bdf_same_device(f[-1].bdf, f->bdf)
	         : is_told && !port && m->told && share_bus(f, f - 1)))
		return m->node_of[f - 1 - m->tree->function];
	if (!port)
		above = root_bus(m, f, is_told || is_below_link(f));
	n = add_node(m, f->bdf);
	m->node[n].function = f;
	m->node[n].class = told.gpu ? CLASS_GPU : pci_class_of(f);
	m->node[n].root = is == PORT_INTEGRATED;
	if (linked)
		m->node[n].set = is_told ? told.link : f->link;
	if (f->pcie.mps)
		m->node[n].set.mps = f->pcie.mps;
	if (f->pcie.rcb)
		m->node[n].set.rcb = f->pcie.rcb;
	m->node[n].set.ecrc |= f->pcie.ecrc == TRISTATE_YES;
	e = add_below(m, n, above,
	              linked || is_below_link(f) ? EDGE_LINK
	              : is == PORT_DOWNSTREAM    ? EDGE_CHIP
	                                         : EDGE_ROOT);
	e->link = is_told  ? told.link
	          : linked ? pci_awake_link(f)
	                   : supposed_link(m, f);
	e->now = is_told ? told.now : pci_link_sleeps(f) ? f->link.gen : 0;
	m->told += is_told && !port;
	return n;
}

static struct machine *
read_tree(struct pci_tree *tree, bool tells)
{
	struct machine *m = xcalloc(1, sizeof *m);

	m->tree = tree;
	m->tells = tells;
	m->routes = xcalloc(1, sizeof *m->routes);
	m->node_of = xcalloc(tree->n + 1, sizeof *m->node_of);
	for (size_t i = 0; i < tree->n; i++)
		m->node_of[i] = MACHINE_NONE;
	m->only_node = -1;
	for (size_t i = 0; i < tree->n; i++) {
		int node = tree->function[i].node;

		if (node >= 0)
			m->only_node =
			    m->only_node == -1 || m->only_node == node ? node
			                                               : -2;
	}
	/* A parent is on a lower bus, so it comes first; or it has no parent.
	 */
	for (size_t i = 0; i < tree->n; i++) {
		const struct pci_function *f = &tree->function[i];
		size_t up = f->up ? (size_t)(f->up - tree->function) : i;

		if (up > i && m->node_of[up] == MACHINE_NONE)
			m->node_of[up] = add_function(m, f->up);
		if (m->node_of[i] == MACHINE_NONE)
			m->node_of[i] = add_function(m, f);
	}
	number_devices(m);
	return m;
}

struct machine *
machine_of_tree(struct pci_tree *tree)
{
	return read_tree(tree, false);
}

struct machine *
machine_of_facts(struct pci_tree *tree)
{
	return read_tree(tree, true);
}

/* From a file -------------------------------------------------------------- */

/* False if the text is no kind of link. */
static bool
parse_kind(const char *text, enum edge_kind *kind, struct link *link)
{
	static const char *const words[] = {"fabric", "if", "dram", "upi",
	                                    "xgmi"};
	static const enum edge_kind kinds[] = {EDGE_CHIP,   EDGE_ROOT,
	                                       EDGE_ROOT,   EDGE_SOCKET,
	                                       EDGE_SOCKET, EDGE_LINK};

	*kind = kinds[find_word(text, words, ARRAY_LEN(words))];
	*link = usual;
	return *kind != EDGE_LINK ||
	       (!link_parse_brief(text, link) && !why_no_model(link));
}

static size_t
named(struct machine *m, const char *name)
{
	size_t node = find_node(m, name);

	return node == MACHINE_NONE ? add_node(m, name) : node;
}

/* NULL, or why the line is refused. */
static const char *
take_line(struct machine *m, const char *line)
{
	/* A name that fills its array may have been cut. */
	char word[8] = "", a[65] = "", b[65] = "", text[65] = "", more[2] = "";
	int n = sscanf(line, "%7s %64s %64s %64s %1s", word, a, b, text, more);
	bool is_node = !strcmp(word, "node"), top = !strcmp(b, "-");
	enum edge_kind kind = EDGE_LINK;
	struct link link = usual;
	size_t below, above;

	if (n < 1 || *word == '#')
		return NULL;
	if (n != 4 || (!is_node && strcmp(word, "link") != 0) ||
	    (top && (!is_node || strcmp(text, "-") != 0)))
		return "not 'node NAME PARENT LINK', 'node NAME - -' or 'link "
		       "NAME NAME LINK'";
	if (strlen(a) == 64 || strlen(b) == 64 || strpbrk(a, "<>=") ||
	    strpbrk(b, "<>="))
		return "a name has at most 63 characters, without <, > and =";
	if (!top && !parse_kind(text, &kind, &link))
		return "a link is such as gen4x16, or fabric, if, dram, xgmi, "
		       "upi";
	below = named(m, a);
	above = top ? below : named(m, b);
	if (is_node && m->node[below].number)
		return "this node has a line already";
	m->node[below].number |= is_node;
	if (!top && below == above)
		return "a link has two ends";
	if (top)
		return NULL;
	if (is_node) {
		add_below(m, below, above, kind)->link = link;
		m->node[below].set = link;
		m->node[below].memory = !strcmp(text, "dram");
	} else {
		add_edge(m, below, above, kind)->link = link;
	}
	return NULL;
}

/* A node that is above itself, or MACHINE_NONE. */
static size_t
find_cycle(const struct machine *m)
{
	size_t *from = xcalloc(m->nnodes + 1, sizeof *from);
	size_t at = MACHINE_NONE;

	for (size_t i = 0; i < m->nnodes && at == MACHINE_NONE; i++) {
		for (at = i; at != MACHINE_NONE && !from[at];
		     at = machine_above(m, at))
			from[at] = i + 1;
		if (at != MACHINE_NONE && from[at] != i + 1)
			at = MACHINE_NONE;
	}
	free(from);
	return at;
}

/*
 * Parts of the root complex: what has no parent, or none by a link. Those
 * without parent are memory if nothing else is.
 */
static void
complete(struct machine *m, const char *file)
{
	size_t cycle = find_cycle(m);
	bool memory = false;

	if (cycle != MACHINE_NONE)
		die("%s: %s is above itself: a node without parent is 'node "
		    "NAME - -'",
		    file, m->node[cycle].name);
	for (size_t i = 0; i < m->nnodes; i++) {
		struct machine_node *n = &m->node[i];

		/* Until here, the number says whether it has a line. */
		if (!n->number)
			die("%s: no line 'node %s ...'", file, n->name);
		n->root = n->up == MACHINE_NONE ||
		          m->edge[n->up].kind == EDGE_ROOT ||
		          m->edge[n->up].kind == EDGE_SOCKET;
		memory |= n->memory;
		if (!n->inner && strchr("gs", *n->name) && n->name[1] &&
		    !n->name[1 + strspn(n->name + 1, "0123456789")]) {
			n->class = *n->name == 'g' ? CLASS_GPU : CLASS_NVME;
			n->number = strtoul(n->name + 1, NULL, 10);
		}
	}
	for (size_t i = 0; i < m->nnodes && !memory; i++)
		m->node[i].memory = m->node[i].up == MACHINE_NONE;
}

struct machine *
machine_read_file(const char *file)
{
	FILE *f = strcmp(file, "-") != 0 ? fopen(file, "re") : stdin;
	struct machine *m = xcalloc(1, sizeof *m);
	size_t size = 0, number = 0;
	char *line = NULL;

	if (!f)
		die_sys("%s", file);
	m->routes = xcalloc(1, sizeof *m->routes);
	while (getline(&line, &size, f) >= 0) {
		const char *why = take_line(m, line);

		number++;
		if (why)
			die("%s:%zu: %s", file, number, why);
	}
	if (ferror(f))
		die_sys("%s", file);
	if (!m->nnodes)
		die("%s: no line 'node NAME PARENT LINK'", file);
	free(line);
	if (f != stdin)
		fclose(f);
	complete(m, file);
	return m;
}

/* After edges have changed. */
static void
forget_routes(struct machine *m)
{
	struct machine_routes *r = m->routes;

	free(r->first);
	free(r->half);
	free(r->by);
	free(r->steps);
	*r = (struct machine_routes){0};
}

void
machine_free(struct machine *m)
{
	for (size_t i = 0; i < m->nnodes; i++) {
		free(m->node[i].name);
		free(m->node[i].short_name);
	}
	for (size_t i = 0; i < m->ncaps; i++)
		free(m->cap[i].name);
	free(m->node);
	free(m->edge);
	free(m->cap);
	free(m->node_of);
	forget_routes(m);
	free(m->routes);
	pci_tree_free(m->tree);
	free(m);
}

/* Names and changes -------------------------------------------------------- */

const char *
machine_name(const struct machine *m, size_t node)
{
	const struct machine_node *n = &m->node[node];

	return n->short_name ? n->short_name : bdf_short(n->name);
}

/* g0 of a file is gpu0, too. */
static size_t
find_numbered(const struct machine *m, const char *text)
{
	char name[32];

	for (size_t i = 0; i < m->nnodes; i++) {
		snprintf(name, sizeof name, "%s%zu",
		         class_words[m->node[i].class], m->node[i].number);
		if (m->node[i].class && !strcasecmp(text, name))
			return i;
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
machine_match(struct pci_tree *tree, const char *text,
              struct pci_matches *found)
{
	const char *why = pci_match(tree, text, found);
	struct machine *m = why ? machine_of_facts(tree) : NULL;
	size_t node = m ? find_numbered(m, text) : MACHINE_NONE;

	if (node != MACHINE_NONE)
		array_push(found->item, found->n, m->node[node].function);
	if (m) {
		m->tree = NULL; /* the caller's */
		machine_free(m);
	}
	return found->n ? NULL : why;
}

bool
machine_is_memory(const struct machine *m, size_t node)
{
	return node == MACHINE_NONE ||
	       (m->node[node].root && !m->node[node].function);
}

/* The best speed that both ends support; generation 0: not known. */
static struct link
best_of(const struct pci_function *f, const struct pci_function *port)
{
	struct link link = {0};

	if (!f || !port || !pci_max_gen(f) || !pci_max_gen(port) ||
	    !pci_max_lanes(port))
		return link;
	link.gen = (unsigned)min_u64(pci_max_gen(f), pci_max_gen(port));
	link.lanes = (unsigned)min_u64(pci_max_lanes(f), pci_max_lanes(port));
	link.flit = link.gen > 5;
	return link;
}

struct link
machine_best_link(const struct machine *m, size_t node)
{
	size_t above = machine_above(m, node);

	return best_of(m->node[node].function,
	               above == MACHINE_NONE ? NULL : m->node[above].function);
}

const char *
machine_move(struct machine *m, size_t device, size_t below)
{
	const struct pci_function *f = m->node[device].function;
	const struct pci_function *port = m->node[below].function;
	struct link best = best_of(f, port);
	size_t up = m->node[device].up;
	struct machine_edge *e = &m->edge[up];

	if (up == MACHINE_NONE || e->kind != EDGE_LINK)
		return "it has no link";
	for (size_t i = below; i != MACHINE_NONE; i = machine_above(m, i)) {
		if (i == device)
			return "the place is below the device";
	}
	if (f && (!port || (port->pcie.port != PORT_ROOT &&
	                    port->pcie.port != PORT_DOWNSTREAM)))
		return "the place is no root port and no port of a switch";
	e->above = below;
	m->node[below].inner = true;
	forget_routes(m);
	if (best.gen) {
		e->link.gen = best.gen;
		e->link.lanes = best.lanes;
		e->link.flit = best.flit;
		e->now = 0;
	}
	return NULL;
}

const char *
machine_add_cap(struct machine *m, const char *name, double gbit_s)
{
	size_t length = strcspn(name, ">");
	char *first = xasprintf("%.*s", (int)length, name);
	size_t from = machine_find(m, first), to = MACHINE_NONE;

	free(first);
	if (name[length])
		to = machine_find(m, name + length + 1);
	if (from == MACHINE_NONE || (name[length] && to == MACHINE_NONE))
		return "neither a node nor A>B; pcb-model tree lists nodes";
	array_push(m->cap, m->ncaps,
	           (struct machine_cap){xstrdup(name), from, to, gbit_s});
	return NULL;
}
