/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The links of a machine, and the rates of transfers that share them. */
#ifndef PCB_COMMON_MACHINE_MACHINE_H
#define PCB_COMMON_MACHINE_MACHINE_H

#include "common/link/model.h"
#include "common/pci/tree.h"

#define MACHINE_NONE ((size_t)-1)

/* What an edge is; only of a link the model knows what it carries. */
enum edge_kind {
	EDGE_LINK,   /* PCI Express; the link's bus is BUS_UNKNOWN if unread */
	EDGE_CHIP,   /* inside a switch */
	EDGE_ROOT,   /* inside a root complex, or to memory */
	EDGE_SOCKET, /* between sockets, or NUMA nodes */
};

struct machine_edge {
	size_t below, above; /* nodes; without meaning for EDGE_SOCKET */
	enum edge_kind kind;
	struct link link; /* as it can run, see `idle` */
	unsigned now;     /* generation at which an idle link runs; or 0 */
	double ratio[2];  /* share of the bound that counts: up, down */
};

enum machine_class { CLASS_OTHER, CLASS_GPU, CLASS_NVME, CLASS_NIC };

struct machine_node {
	char *name; /* BDF, pci0000:40 (a root bus), node0; as in the file */
	const struct pci_function *function; /* or NULL */
	enum machine_class class;
	size_t number;   /* within its class, in the order of buses */
	struct link set; /* of the function: MPS and others, without a rate */
	size_t up;       /* edge to the node above, or MACHINE_NONE */
	bool root;       /* part of a root complex, or above */
	bool memory, inner; /* memory; has nodes below */
};

/* A measured limit, besides links, of all flows that pass some place. */
struct machine_cap {
	char *name;
	size_t from, to; /* passing both; or `to` is MACHINE_NONE */
	bool socket;     /* in place of nodes: from one socket to another */
	double gbit_s;   /* in each direction, of data */
};

struct machine {
	struct machine_node *node;
	struct machine_edge *edge;
	struct machine_cap *cap;
	size_t nnodes, nedges, ncaps;
	struct pci_tree *tree; /* or NULL */
	size_t *node_of;       /* by index in the tree; MACHINE_NONE: none */
	double reached[3];     /* by crossing: share of the bound, or 0 */
	size_t no_link;        /* functions on links that cannot be read */
};

/*
 * The machine of a tree, which it owns then. A link that leads only to idle
 * GPUs may run slower than it can; it counts by what both ends can.
 */
struct machine *machine_of_tree(struct pci_tree *tree);

/*
 * Reads "node NAME PARENT LINK" and "link NAME NAME LINK" from a file ("-" is
 * stdin). LINK is as in link_parse_brief, fabric (inside a switch), if or dram
 * (inside a root complex), xgmi or upi (between sockets); a node without parent
 * has "- -". Names gN are GPUs, sN SSDs. Dies if the text is wrong.
 */
struct machine *machine_read(const char *file);
void machine_free(struct machine *m);

/*
 * The node that a text names: by its name, a device as in pci_match, or gpu0,
 * nvme0, nic0 in the order of buses (gpu0 also g0); MACHINE_NONE if none. If
 * there are GPUs of NVIDIA, only those count, as nvidia-smi does; then AMD's.
 */
size_t machine_find(const struct machine *m, const char *text);

/* The name for people: gpu0, nvme0, else the short BDF. Valid with m. */
const char *machine_name(const struct machine *m, size_t node);

/* NULL, or why the device cannot move below this node (a constant). */
const char *machine_move(struct machine *m, size_t device, size_t below);

/* NULL, or why not: a cap of "A>B", a node, or "socket" (a constant). */
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
	size_t from, to;    /* nodes; MACHINE_NONE: memory near the other end */
	bool reads;         /* `to` starts the transfers, else `from` */
	double most_gbit_s; /* 0, or a limit of this flow alone */

	/* Set by machine_route. */
	struct route_step *step;
	size_t n;
	enum crossing crosses;
	bool redirected; /* by ACS, from a switch up to the root */

	/* Set by machine_share; NULL: nothing that is modelled. */
	double gbit_s;
	char *limited_by; /* "A>B", a cap, or the crossing */
	size_t limit;     /* edge, or MACHINE_NONE */
};

/*
 * Finds the way of the data: the shortest, or with ACS through the root.
 * Returns NULL, or why there is none (a constant).
 */
const char *machine_route(const struct machine *m, struct flow *flow);

/*
 * Sets the rates of flows, routed, that run at once with transfers of `size`
 * bytes, counted as `how` says.
 */
void machine_share(const struct machine *m, const struct link_config *how,
                   uint64_t size, struct flow flow[], size_t nflows);

/* The bound of one link alone, for writes (up) or reads (down) of the device.
 */
double machine_bound(const struct machine *m, const struct link_config *how,
                     uint64_t size, size_t edge, bool down);

void flow_free(struct flow *flow);

#endif
