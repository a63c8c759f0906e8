/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The links of a machine, and the rates of transfers that share them. */
#ifndef PCB_COMMON_MACHINE_MACHINE_H
#define PCB_COMMON_MACHINE_MACHINE_H

#include "common/link/model.h"
#include "common/pci/tree.h"

#define MACHINE_NONE ((size_t)-1)

/* Only of EDGE_LINK the model knows what it carries. */
enum edge_kind {
	EDGE_LINK,   /* PCI Express; the link's bus is BUS_UNKNOWN if unread */
	EDGE_CHIP,   /* inside a switch */
	EDGE_ROOT,   /* inside a root complex, or to memory */
	EDGE_SOCKET, /* between sockets, or NUMA nodes */
};

struct machine_edge {
	size_t below, above; /* nodes */
	enum edge_kind kind;
	struct link link; /* as it can run, see machine_of_tree */
	unsigned now;     /* generation of a link that sleeps; or 0 */
	double ratio[2];  /* share of the bound that counts: up, down */
	double gbit_s[2]; /* measured limit of what is no link; 0: none */
};

struct machine_node {
	char *name; /* BDF, pci0000:40 (a root bus), node0; as in the file */
	const struct pci_function *function; /* or NULL */
	enum pci_class class;
	size_t number;      /* within its class, in the order of buses */
	char *short_name;   /* gpu0, nvme0; NULL: as `name` */
	struct link set;    /* MPS and other settings of the function */
	size_t up;          /* edge to the node above, or MACHINE_NONE */
	bool root;          /* part of a root complex, or above */
	bool memory, inner; /* memory; has nodes below */
};

/* A measured limit of all flows that pass a node, or one and then another. */
struct machine_cap {
	char *name;
	size_t from, to; /* `to` is MACHINE_NONE for a node */
	double gbit_s;   /* of data, in each direction */
};

/*
 * What machine_route found: ways from one node to all, or from any memory. How
 * far each node is, and the half edge at it by which a way arrives; 2 e is the
 * end of edge e that is below, 2 e + 1 that above. Those at node i are
 * half[first[i]] and on, before those of the next node.
 */
struct machine_routes {
	size_t *first, *half, *by; /* NULL before the first route */
	unsigned *steps;
	size_t start; /* MACHINE_NONE: any memory */
	bool walked;
};

struct machine {
	struct machine_node *node;
	struct machine_edge *edge;
	struct machine_cap *cap;
	size_t nnodes, nedges, ncaps;
	struct pci_tree *tree; /* or NULL */
	size_t *node_of;       /* by index in the tree; MACHINE_NONE: none */
	size_t no_link;        /* functions whose links cannot be read */
	bool tells;            /* links by machine_told count, too */
	size_t told;           /* those, of which nothing above is known */
	size_t unknown;        /* links of which only the place is known */
	size_t supposed;       /* of which what both ends support, too */
	struct machine_routes *routes;
	int only_node; /* NUMA node of all that name one; < 0: none, several */
};

/*
 * The machine of a tree, which it owns then. A link counts as it is while data
 * moves, see pci_awake_link.
 */
struct machine *machine_of_tree(struct pci_tree *tree);

/* The same with links by machine_told, below "pci?" if no port is known. */
struct machine *machine_of_facts(struct pci_tree *tree);

/*
 * Reads "node NAME PARENT LINK" and "link NAME NAME LINK" from a file ("-" is
 * stdin). LINK is as in link_parse_brief, fabric (inside a switch), if or dram
 * (inside a root complex), xgmi or upi (between sockets); a node without parent
 * has "- -". Ends named gN are GPUs, sN SSDs. Dies if the text is wrong.
 */
struct machine *machine_read_file(const char *file);
void machine_free(struct machine *m);

/*
 * The node that a text names: by its name, a device as in pci_match, or gpu0,
 * nvme0, nic0 in the order of buses; MACHINE_NONE if none. If there are GPUs of
 * NVIDIA, only those count, as in nvidia-smi; else AMD's.
 */
size_t machine_find(const struct machine *m, const char *text);

/* As pci_match; also finds gpu0, nvme0 and nic0, as machine_find does. */
const char *machine_match(struct pci_tree *tree, const char *text,
                          struct pci_matches *found);

/* The node above, or MACHINE_NONE. */
size_t machine_above(const struct machine *m, size_t node);

/* gpu0, nvme0, else the short BDF; valid as long as the machine. */
const char *machine_name(const struct machine *m, size_t node);

/* Whether a place is memory, or the root complex above it. */
bool machine_is_memory(const struct machine *m, size_t node);

/*
 * The generation and lanes that both ends of the link above a node support;
 * generation 0: not known.
 */
struct link machine_best_link(const struct machine *m, size_t node);

/* NULL, or why the device cannot move below that node (a constant). */
const char *machine_move(struct machine *m, size_t device, size_t below);

/* NULL, or why the name is no cap: neither a node nor "A>B" (a constant). */
const char *machine_add_cap(struct machine *m, const char *name, double gbit_s);

/* Transfers ---------------------------------------------------------------- */

enum crossing { CROSS_NOTHING, CROSS_ROOT, CROSS_SOCKET };
extern const char *const crossing_names[];

/* A step of a route, in the direction of the data. */
struct route_step {
	size_t edge;
	bool down; /* from `above` to `below` */
};

struct flow {
	size_t from, to; /* MACHINE_NONE: memory near the other end */
	bool reads;      /* `to` starts the transfers, else `from` */
	/* Payload of writes that a root complex has passed on; 0: whole. */
	unsigned forward;

	/* Set by machine_route. */
	struct route_step *step;
	size_t n;
	enum crossing crosses;
	bool redirected; /* by ACS, from a switch up to the root */

	/* Set by machine_share. */
	double gbit_s;
	size_t limit;         /* edge; one that is none: nothing, or a cap */
	char limited_by[136]; /* "A>B", a cap or "host_lines" */
};

/*
 * Finds the way of the data: the shortest, or with ACS through the root.
 * Returns NULL, or why there is none (a constant). Free the steps. The time
 * grows with the machine if `from` is another one than in the call before, or
 * if now one end is memory, and with the way otherwise.
 */
const char *machine_route(const struct machine *m, struct flow *flow);

/* Whether a flow has memory at one end. */
bool machine_uses_memory(const struct machine *m, const struct flow *flow);

/*
 * Sets the rates of flows, routed, that run at once with transfers of `size`
 * bytes, counted as `how` says. Its host_lines are for each part of a root
 * complex and direction, of flows from or to memory.
 */
void machine_share(const struct machine *m, const struct link_config *how,
                   uint64_t size, struct flow flow[], size_t nflows);

/* The same for one link alone: writes (up) or reads (down) of what is below. */
double machine_bound(const struct machine *m, const struct link_config *how,
                     uint64_t size, size_t edge, bool down);

#endif
