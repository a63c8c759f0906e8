/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks the hypervisor, the IOMMU, and what devices share. */
#include "doctor/machine.h"

#include "common/machine/machine.h"
#include "common/pci/tree.h"
#include "common/sys/sysfs.h"

#include <pci/header.h>

/* Bytes of a large transfer. */
#define LARGE 4096

/* Length of a list of devices at which it ends in "...". */
#define LONG 300

#define OTHER_NODE "put the NIC or the GPU into a slot of the other node"

/* NUMA nodes, more than Linux has. */
#define NODES 1024

/* A link, and the devices whose transfers it limits. */
struct shared {
	size_t n, gpus, first; /* first: one of the flows */
	char *names;
	bool wanted;
};

struct devices {
	const struct machine *m;
	struct flow *flow; /* of each to memory, all at once */
	struct flow *own;  /* the same over its link alone */
	size_t n;
};

static const struct pci_function *
function_of(const struct devices *all, size_t flow)
{
	return all->m->node[all->flow[flow].from].function;
}

/* Whether a list has room for one more; if not, it ends in "...". */
static bool
has_room(char **list, const char *between)
{
	size_t n = *list ? strlen(*list) : 0;

	if (n >= LONG && (*list)[n - 1] != '.')
		xappend(list, between, "...");
	return n < LONG;
}

/* "gpu0 (03:00.0)", or the address alone. */
static void
add_name(char **list, const char *name, const char *bdf)
{
	xappend(list, ", ", strcmp(name, bdf) ? "%s (%s)" : "%s", name, bdf);
}

static struct devices
find_devices(const struct machine *m)
{
	struct link_config how = {.accounting = ACCOUNTING_TRAFFIC};
	struct devices all = {.m = m};

	all.flow = xcalloc(m->nnodes + 1, sizeof *all.flow);
	all.own = xcalloc(m->nnodes + 1, sizeof *all.own);
	for (size_t i = 0; i < m->nnodes; i++) {
		struct flow f = {.from = i, .to = MACHINE_NONE};

		if (m->node[i].class == CLASS_OTHER || m->node[i].root)
			continue;
		for (size_t at = i; !m->node[at].root;
		     at = m->edge[m->node[at].up].above)
			array_push(f.step, f.n,
			           (struct route_step){m->node[at].up, false});
		all.flow[all.n] = all.own[all.n] = f;
		all.own[all.n++].n = 1;
	}
	machine_share(m, &how, LARGE, all.own, all.n);
	machine_share(m, &how, LARGE, all.flow, all.n);
	return all;
}

/* The name of an empty port as wide as the device; NULL: none is shown. */
static const char *
free_port(const struct machine *m, size_t device)
{
	unsigned lanes = pci_max_lanes(m->node[device].function);

	for (size_t i = 0; i < m->nnodes; i++) {
		const struct pci_function *f = m->node[i].function;

		if (f && !m->node[i].inner && lanes &&
		    (f->pcie.port == PORT_ROOT ||
		     f->pcie.port == PORT_DOWNSTREAM) &&
		    pci_max_lanes(f) >= lanes)
			return machine_name(m, i);
	}
	return NULL;
}

/* Devices below a bridge that no name has counted, as FPGAs. */
static void
name_others(struct doctor *d, struct doctor_finding *row,
            const struct pci_function *bridge)
{
	const struct pci_function *f = bridge;
	char *names = NULL;

	while (bridge && (f = pci_next_below(d->tree, bridge, f))) {
		if (f->pcie.port == PORT_ENDPOINT && doctor_moves_data(f) &&
		    !pci_class_of(f) && !bdf_split(f->bdf).function &&
		    has_room(&names, " "))
			xappend(&names, " ", "%s", doctor_short_bdf(f));
	}
	if (names)
		xappend(&row->what, "; ", "below it, too: %s", names);
	free(names);
}

/*
 * Devices whose transfers at once fill one link. Two GPUs pay for it whenever
 * both work; a chipset is built like this.
 */
static void
check_link(struct doctor *d, const struct devices *all, size_t edge,
           const struct shared *s)
{
	const struct machine *m = all->m;
	const struct flow *f = &all->flow[s->first];
	const char *port = free_port(m, f->from);
	char *file = d->file ? shell_word(d->file) : NULL;
	struct doctor_finding *row = doctor_add(
	    d, "shared_uplink", s->gpus > 1 ? SURE_LIKELY : SURE_BY_DESIGN,
	    "uplink", m->node[m->edge[edge].below].function,
	    "%s share the gen%ux%u link above this bridge, which is narrower "
	    "than their sum",
	    s->names, m->edge[edge].link.gen, m->edge[edge].link.lanes);

	name_others(d, row, m->node[m->edge[edge].below].function);
	doctor_set_cost(d, row, function_of(all, s->first), f->gbit_s,
	                all->own[s->first].gbit_s, "bw_wr",
	                "writes to memory by each, all at once");
	doctor_say(&row->fix, "%s: 'pcb-model flows",
	           port ? "other slots" : "no empty port as wide is shown");
	if (file)
		xappend(&row->fix, "", " --dump %s",
		        strcmp(d->file, "-") ? file : "FILE");
	xappend(&row->fix, "", " --each host");
	if (port)
		xappend(&row->fix, "", " --move %s=%s' shows what one gives",
		        machine_name(m, f->from), port);
	else
		xappend(&row->fix, "", "' shows what each gets");
	free(file);
}

static void
check_links(struct doctor *d, const struct devices *all, const bool *chosen)
{
	const struct machine *m = all->m;
	struct shared *shared = xcalloc(m->nedges + 1, sizeof *shared);

	for (size_t i = 0; i < all->n; i++) {
		const struct flow *f = &all->flow[i];
		const struct pci_function *at = function_of(all, i);
		struct shared *s;

		if (f->limit >= m->nedges)
			continue;
		s = &shared[f->limit];
		if (!s->n++)
			s->first = i;
		s->gpus += m->node[f->from].class == CLASS_GPU;
		s->wanted |= !chosen || chosen[at - m->tree->function];
		if (has_room(&s->names, ", "))
			add_name(&s->names, machine_name(m, f->from),
			         doctor_short_bdf(at));
	}
	for (size_t i = 0; i < m->nedges; i++) {
		if (shared[i].n > 1 && shared[i].wanted)
			check_link(d, all, i, &shared[i]);
		free(shared[i].names);
	}
	free(shared);
}

/*
 * The highest edge that data for a peer pass on their way up before they turn:
 * below a root complex, or at a port whose ACS sends them there.
 */
static size_t
turn_of(const struct machine *m, const struct flow *f)
{
	for (size_t i = 1; i < f->n; i++) {
		const struct pci_function *port =
		    m->node[m->edge[f->step[i].edge].below].function;

		if (port->pcie.port == PORT_DOWNSTREAM &&
		    (port->registers.value[REG_ACSCTL] & PCI_ACS_CTRL_REQ_RED))
			return f->step[i].edge;
	}
	return f->step[f->n - 1].edge;
}

static const struct pci_function *
root_above(const struct pci_function *f)
{
	while (f && f->pcie.port != PORT_ROOT)
		f = f->up;
	return f;
}

/* Whether both have the same IDs or, without IDs, the same name. */
static bool
is_alike(const struct pci_function *f, const struct pci_function *g)
{
	const char *a = f->title ? strchr(f->title, ' ') : NULL;
	const char *b = g->title ? strchr(g->title, ' ') : NULL;

	return f->vendor_id == g->vendor_id && f->device_id == g->device_id &&
	       (f->vendor_id || (a && b && !strcmp(a, b)));
}

/*
 * NVIDIA's driver lets only professional and data-centre boards read or write
 * each other: chips with GL in their name, as "AD102GL [RTX 6000 Ada
 * Generation]", or 3D controllers.
 */
static bool
talks(const struct pci_function *gpu)
{
	char *name = pci_name(gpu->vendor_id, gpu->device_id);
	bool geforce =
	    strstr(name, "GeForce") || doctor_is_named(gpu, "GeForce");
	bool professional = strstr(name, "GL [") ||
	                    doctor_is_named(gpu, "GL [") ||
	                    gpu->class_code >> 16 == PCI_CLASS_DISPLAY_3D;

	free(name);
	return !doctor_is_named(gpu, "NVIDIA") || (professional && !geforce);
}

/*
 * GPUs of one kind below root ports that redirect: what they exchange passes
 * the IOMMU, or is lost where that is off.
 */
static void
check_roots(struct doctor *d, const bool *chosen)
{
	const struct pci_function *first = NULL, *last = NULL, *gpu = NULL;
	char *ports = NULL, *names = NULL;
	size_t n = 0;
	bool wanted = false;

	for (size_t i = 0; i < d->tree->n; i++) {
		const struct pci_function *f = &d->tree->function[i];
		const struct pci_function *root =
		    pci_class_of(f) == CLASS_GPU ? root_above(f->up) : NULL;

		if (!root || !doctor_redirects(root) ||
		    !strcmp(f->driver, "vfio-pci"))
			continue;
		if (gpu && !is_alike(f, gpu)) {
			if (n > 1)
				break;
			/* Such as that of the board. */
			free(ports);
			free(names);
			ports = names = NULL;
			first = last = NULL;
			n = 0;
		}
		gpu = f;
		wanted |= !chosen || chosen[i];
		if (has_room(&names, " "))
			xappend(&names, " ", "%s", doctor_short_bdf(f));
		if (root == last)
			continue;
		n++;
		first = first ? first : root;
		last = root;
		xappend(&ports, ";", "%s", root->bdf);
	}
	if (n > 1 && wanted)
		doctor_say_redirect(
		    doctor_add(
		        d, "acs", talks(gpu) ? SURE_LIKELY : SURE_BY_DESIGN,
		        "device", first,
		        "ACS of root ports sends data between these GPUs "
		        "through the IOMMU%s: %s",
		        talks(gpu) ? ""
		                   : ", if a driver lets GeForce cards talk",
		        names),
		    ports);
	free(ports);
	free(names);
}

/* Of client processors, by what pci.ids calls their ports. */
static bool
is_client(const struct pci_function *root)
{
	return root && doctor_is_named(root, "Intel") &&
	       (doctor_is_named(root, "Core Processor") ||
	        doctor_is_named(root, "Graphics Port"));
}

/* How to measure what is between GPUs. */
static void
say_peers(struct doctor_finding *row, bool client)
{
	doctor_say(&row->cost, client
	                           ? "client processors of Intel forward peer "
	                             "writes, not reads"
	                           : "not in the model: what a root complex, "
	                             "or the link to another socket, carries");
	doctor_say(&row->verify, "nvbandwidth, p2pBandwidthLatencyTest or "
	                         "rocm_bandwidth_test, then 'pcb-import ... | "
	                         "pcb-model flows --join'");
}

/* GPUs, by groups that reach each other below the root complex. */
static void
check_peers(struct doctor *d, const struct devices *all, const bool *chosen)
{
	const struct machine *m = all->m;
	char **group = xcalloc(m->nedges + 1, sizeof *group), *text = NULL;
	size_t groups = 0;
	struct doctor_finding *row;
	bool wanted = false, unseen = false, client = false;

	for (size_t i = 0; i < all->n; i++) {
		const struct flow *f = &all->flow[i];
		char **list;

		if (m->node[f->from].class != CLASS_GPU)
			continue;
		/* A bridge above may be missing in the dump. */
		unseen |= !root_above(function_of(all, i));
		client |= is_client(root_above(function_of(all, i)));
		wanted |=
		    !chosen || chosen[function_of(all, i) - m->tree->function];
		list = &group[turn_of(m, f)];
		if (has_room(list, " "))
			xappend(list, " ", "%s", machine_name(m, f->from));
	}
	for (size_t i = 0; i < m->nedges; i++) {
		if (!group[i])
			continue;
		groups++;
		if (has_room(&text, " | "))
			xappend(&text, " | ", "%s", group[i]);
		free(group[i]);
	}
	if (groups > 1 && wanted && !unseen) {
		row = doctor_add(d, "peer_path", SURE_BY_DESIGN, "slots", NULL,
		                 "data between these groups of GPUs go through "
		                 "the root complex: %s",
		                 text);
		say_peers(row, client);
	}
	free(text);
	free(group);
}

/* GPUs on a NUMA node without NIC, where another node has one. */
static void
check_nodes(struct doctor *d, const struct devices *all, const bool *chosen)
{
	const struct machine *m = all->m;
	bool local[NODES] = {false}, wanted = false;
	struct doctor_finding *row;
	char *gpus = NULL, *nics = NULL;

	for (size_t i = 0; i < all->n; i++) {
		const struct pci_function *f = function_of(all, i);

		if (pci_class_of(f) != CLASS_NIC || !doctor_is_fast(f) ||
		    f->node < 0)
			continue;
		local[f->node % NODES] = true;
		if (has_room(&nics, ", "))
			xappend(&nics, ", ", "%s (node %d)",
			        machine_name(m, all->flow[i].from), f->node);
	}
	for (size_t i = 0; nics && i < all->n; i++) {
		const struct pci_function *f = function_of(all, i);

		if (pci_class_of(f) != CLASS_GPU || f->node < 0 ||
		    local[f->node % NODES])
			continue;
		wanted |= !chosen || chosen[f - m->tree->function];
		if (has_room(&gpus, ", "))
			xappend(&gpus, ", ", "%s (node %d)",
			        machine_name(m, all->flow[i].from), f->node);
	}
	if (wanted) {
		row = doctor_add(d, "remote_node", SURE_LIKELY, NULL, NULL,
		                 "no fast NIC is on the NUMA node of %s; fast "
		                 "are %s",
		                 gpus, nics);
		doctor_say(&row->cost, "not in the model: what the link "
		                       "between sockets carries");
		doctor_say(&row->fix, OTHER_NODE);
	}
	free(gpus);
	free(nics);
}

static void
check_shared(struct doctor *d, const bool *chosen, bool linked)
{
	/* The machine would free its tree. */
	struct machine *m = machine_of_tree((struct pci_tree *)d->tree);
	struct devices all = find_devices(m);

	check_links(d, &all, chosen);
	/* Links of their own are not in the tree. */
	if (!linked)
		check_peers(d, &all, chosen);
	check_roots(d, chosen);
	check_nodes(d, &all, chosen);
	for (size_t i = 0; i < all.n; i++)
		free(all.flow[i].step);
	free(all.flow);
	free(all.own);
	m->tree = NULL;
	machine_free(m);
}

/* The GPU that a text begins with; GPUS: none. */
#define GPUS 64
static size_t
gpu_at(const char *text)
{
	unsigned long n =
	    strncmp(text, "gpu", 3) ? GPUS : strtoul(text + 3, NULL, 10);

	return n < GPUS ? n : GPUS;
}

/* Its address, if AMD's programs say it, or "gpu0". */
static const char *
gpu_name(const struct facts *facts, size_t gpu, char name[BDF_MAX])
{
	snprintf(name, BDF_MAX, "gpu%u", (unsigned)gpu);
	return *facts->amd.bdf[gpu] ? facts->amd.bdf[gpu] : name;
}

/* GPUs that cannot access each other's memory, by what drivers say. */
static void
check_access(struct doctor *d)
{
	const struct facts *facts = &d->tree->facts;
	const struct fact *first = NULL;
	size_t pairs = 0, denied = 0;
	struct doctor_finding *row;
	size_t from, to;
	char one[BDF_MAX], other[BDF_MAX];

	for (size_t i = 0; i < facts->n; i++) {
		const struct fact *f = &facts->item[i];

		if (f->kind != FACT_PEER)
			continue;
		pairs++;
		if (!facts_deny_peer(f))
			continue;
		denied++;
		first = first ? first : f;
	}
	if (!denied)
		return;
	from = gpu_at(first->bdf);
	to = gpu_at(first->value);
	row = doctor_add(
	    d, "peer_access", SURE_BY_DESIGN, "driver", NULL,
	    "by the driver, %s cannot access %s (P2P), %zu of %zu ways: copies "
	    "go through memory",
	    from < GPUS ? bdf_short(gpu_name(facts, from, one)) : first->bdf,
	    to < GPUS ? bdf_short(gpu_name(facts, to, other)) : "other GPUs",
	    denied, pairs);
	doctor_say(&row->verify, first->source == FROM_AMD
	                             ? "amd-smi topology -a"
	                             : "nvidia-smi topo -p2p w");
}

/* Of a topology, from near to far. */
enum told {
	BY_NVLINK,
	BY_XGMI,
	BY_SWITCH,
	BY_ROOT, /* and all below may need the root complex */
	BY_PCIE,
	BY_NODE,
	BY_SOCKET,
	BY_NODES,
	NTOLD
};
static const char *const told_texts[NTOLD] = {
    "by NVLink (NV)",
    "by XGMI",
    "below one root port (PIX, PXB)",
    "through the root complex (PHB, NODE)",
    "by PCIe",
    "by PCIe in one NUMA node (2 hops)",
    "from socket to socket (SYS)",
    "by PCIe between NUMA nodes (3 hops)"};

#define XGMI_HOP 15 /* the weight that AMD gives to it */

/* What a topology says of the ways from GPUs to each other, and to NICs. */
struct told_ways {
	enum fact_source source;
	size_t n[NTOLD];           /* between GPUs */
	size_t relayed;            /* of those by XGMI: over other GPUs */
	bool relays[GPUS][GPUS];   /* by its weight, if it is by XGMI */
	enum told way[GPUS][GPUS]; /* to a lower GPU; NTOLD: not told */
	enum told nearest[GPUS];   /* NIC; NTOLD: none is told */
	size_t group[GPUS]; /* the first GPU that needs no root complex */
	size_t node[GPUS];  /* the first GPU of its NUMA node */
	size_t nodes;       /* 0: not of all GPUs */
	size_t gpus;        /* one more than the last */
};

static enum told
way_of(const struct fact *f, enum told told)
{
	const char *cell = strchr(f->value, ' ');
	unsigned long hops = cell ? strtoul(cell, NULL, 10) : 0;

	if (f->kind == FACT_HOPS && (told == NTOLD || told == BY_PCIE))
		return hops == 1   ? (told == NTOLD ? BY_XGMI : told)
		       : hops == 2 ? BY_NODE
		       : hops == 3 ? BY_NODES
		                   : told;
	/* A text may show it twice. */
	if (f->kind != FACT_WAY || told != NTOLD || !cell)
		return told;
	if (!strcmp(cell, " PHB") || !strcmp(cell, " NODE"))
		return BY_ROOT;
	return cell[1] == 'S'           ? BY_SOCKET
	       : cell[1] == 'X'         ? BY_XGMI
	       : !strcmp(cell, " PCIE") ? BY_PCIE
	       : cell[1] == 'P'         ? BY_SWITCH
	                                : BY_NVLINK;
}

/* Counts the ways between GPUs, and joins those that need no root complex. */
static void
group_ways(struct told_ways *all)
{
	for (size_t i = 0; i < all->gpus; i++) {
		for (size_t k = 0; k < i; k++) {
			enum told way = all->way[i][k];
			size_t one = all->group[i], other = all->group[k];

			if (way == NTOLD)
				continue;
			all->n[way]++;
			all->relayed += way == BY_XGMI && all->relays[i][k];
			for (size_t j = 0; way < BY_ROOT && j <= i; j++) {
				if (all->group[j] == one ||
				    all->group[j] == other)
					all->group[j] =
					    one < other ? one : other;
			}
		}
	}
}

static void
group_nodes(struct told_ways *all, const struct facts *facts)
{
	long node[GPUS];

	for (size_t i = 0; i < all->gpus; i++) {
		char name[BDF_MAX];

		node[i] = facts_number(facts, gpu_name(facts, i, name),
		                       FACT_NODE, -1);
		for (all->node[i] = 0; node[all->node[i]] != node[i];)
			all->node[i]++;
		all->nodes += all->node[i] == i;
		if (node[i] < 0) {
			all->nodes = 0;
			return;
		}
	}
}

static struct told_ways
read_ways(const struct facts *facts)
{
	struct told_ways all = {.source = FROM_MATRIX};

	for (size_t i = 0; i < GPUS; i++) {
		all.nearest[i] = NTOLD;
		all.group[i] = i;
		for (size_t k = 0; k < GPUS; k++)
			all.way[i][k] = NTOLD;
	}
	for (size_t i = 0; i < facts->n; i++) {
		const struct fact *f = &facts->item[i];
		size_t gpu = gpu_at(f->bdf), to = gpu_at(f->value);
		enum told nic = to == GPUS ? way_of(f, NTOLD) : NTOLD;

		if (gpu == GPUS ||
		    (f->kind != FACT_NODE && f->kind != FACT_WAY &&
		     f->kind != FACT_HOPS && f->kind != FACT_WEIGHT))
			continue;
		all.source = f->source;
		all.gpus = gpu + 1;
		if (nic < all.nearest[gpu])
			all.nearest[gpu] = nic;
		if (to >= gpu)
			continue;
		all.way[gpu][to] = way_of(f, all.way[gpu][to]);
		all.relays[gpu][to] |=
		    f->kind == FACT_WEIGHT &&
		    strtoul(strchr(f->value, ' '), NULL, 10) > XGMI_HOP;
	}
	group_ways(&all);
	group_nodes(&all, facts);
	return all;
}

/* Adds "gpu0 gpu1 | gpu2 gpu3"; a group is named by its first GPU. */
static void
say_groups(struct doctor_finding *row, const struct facts *facts,
           const char *what, const size_t group[], size_t gpus)
{
	char *text = NULL, name[BDF_MAX];

	for (size_t i = 0; i < gpus; i++) {
		for (size_t k = i; group[i] == i && k < gpus; k++) {
			if (group[k] == i && has_room(&text, " "))
				xappend(&text, k > i ? " " : " | ", "%s",
				        bdf_short(gpu_name(facts, k, name)));
		}
	}
	xappend(&row->what, "; ", "%s: %s", what, text);
	free(text);
}

/* "gpu0 to gpu3": of a group of XGMI, but not by it; or NULL. */
static char *
without_xgmi(const struct facts *facts, const struct told_ways *all)
{
	char *text = NULL, one[BDF_MAX], other[BDF_MAX];

	for (size_t i = 0; all->n[BY_XGMI] && i < all->gpus; i++) {
		for (size_t k = 0; k < i; k++) {
			if (all->way[i][k] >= BY_ROOT &&
			    all->way[i][k] < NTOLD &&
			    all->group[i] == all->group[k] &&
			    has_room(&text, ", "))
				xappend(&text, ", ", "%s to %s",
				        bdf_short(gpu_name(facts, k, other)),
				        bdf_short(gpu_name(facts, i, one)));
		}
	}
	return text;
}

/* The ways to the nearest NIC; far: GPUs on another socket than all NICs. */
static char *
nearest_nics(const struct told_ways *all, char **far)
{
	char *nics = NULL;

	for (size_t way = 0; way < NTOLD; way++) {
		char *gpus = NULL;

		for (size_t i = 0; i < all->gpus; i++) {
			if (all->nearest[i] == way && has_room(&gpus, " "))
				xappend(&gpus, " ", "gpu%zu", i);
		}
		if (gpus && nics && way == BY_SOCKET)
			*far = xstrdup(gpus);
		else if (gpus)
			xappend(&nics, ", ", "%s of %s", told_texts[way], gpus);
		free(gpus);
	}
	return nics;
}

/*
 * What a topology says that no bridge shows: where data between GPUs go, and
 * between each of them and the nearest NIC.
 */
static void
check_ways(struct doctor *d, const struct told_ways *all)
{
	const struct facts *facts = &d->tree->facts;
	const char *by = fact_sources[all->source];
	char *ways = NULL, *far = NULL, *nics = nearest_nics(all, &far);
	char *odd = without_xgmi(facts, all);
	size_t told = 0, pairs = 0, groups = 0, rooted = 0;
	struct doctor_finding *row;

	for (size_t i = 0; i < all->gpus; i++) {
		pairs += i;
		groups += all->group[i] == i;
	}
	for (size_t way = 0; way < NTOLD; way++) {
		told += all->n[way];
		rooted += way >= BY_ROOT ? all->n[way] : 0;
		if (all->n[way])
			xappend(&ways, ", ", "%zu %s", all->n[way],
			        told_texts[way]);
		if (way == BY_XGMI && all->relayed)
			xappend(&ways, "", " (%zu of them over other GPUs)",
			        all->relayed);
	}
	if (ways || nics || all->nodes > 1) {
		row = doctor_add(d, "peer_path", SURE_BY_DESIGN, "slots", NULL,
		                 "by %s, ways between two GPUs: %s", by,
		                 ways ? ways : "not told");
		if (told && told < pairs)
			xappend(&row->what, "", " (of %zu)", pairs);
		/* As a virtual machine shows all. */
		if (told > 1 && all->n[BY_SOCKET] == told)
			xappend(&row->what, "", " (or it is virtual)");
		if (groups > 1 && groups < all->gpus && told == pairs)
			say_groups(row, facts,
			           "groups that need no root complex",
			           all->group, all->gpus);
		if (odd)
			xappend(&row->what, "; ",
			        "joined by XGMI to others, not to each other: "
			        "%s",
			        odd);
		if (all->nodes > 1)
			say_groups(row, facts, "by NUMA node", all->node,
			           all->gpus);
		if (nics)
			xappend(&row->what, "; ", "to the nearest NIC: %s",
			        nics);
		if (rooted)
			say_peers(row, false);
	}
	if (far) {
		row = doctor_add(d, "remote_node", SURE_LIKELY, NULL, NULL,
		                 "by %s, no NIC is on the NUMA node of %s, but "
		                 "of other GPUs",
		                 by, far);
		doctor_say(&row->fix, OTHER_NODE);
	}
	free(odd);
	free(far);
	free(nics);
	free(ways);
}

/* Says if a topology is of other GPUs than the functions are. */
static void
check_topology(struct doctor *d)
{
	const struct facts *facts = &d->tree->facts;
	size_t told = 0, gpus = 0;

	for (size_t i = 0; i < facts->n; i++) {
		const struct fact *f = &facts->item[i];
		size_t end = strtoul(f->bdf + 3, NULL, 10) + 1;

		if (f->source == FROM_MATRIX && !strncmp(f->bdf, "gpu", 3) &&
		    end > told)
			told = end;
	}
	for (size_t i = 0; i < d->tree->n; i++) {
		const struct pci_function *f = &d->tree->function[i];

		gpus += (pci_class_of(f) == CLASS_GPU &&
		         doctor_is_named(f, "NVIDIA")) ||
		        facts_last(facts, f->bdf, FACT_LANES, FROM_SMI);
	}
	if (!told || !gpus || told == gpus)
		return;
	warn("a topology of %zu GPUs, but %zu in %s: of another machine, or "
	     "not all; which is which is unknown",
	     told, gpus, d->file ? d->file : "this machine");
	d->unseen += told > gpus ? told - gpus : 0;
}

/* Whether it shows ports above at least two GPUs. */
static bool
shows_peers(const struct pci_tree *tree)
{
	size_t gpus = 0;

	for (size_t i = 0; i < tree->n; i++)
		gpus += tree->function[i].up &&
		        pci_class_of(&tree->function[i]) == CLASS_GPU;
	return gpus > 1;
}

void
machine_check(struct doctor *d, const bool *chosen)
{
	bool here = d->tree->sysfs;
	char *type =
	    here ? read_first_line("%s", root_path("/sys/hypervisor/type"))
	         : NULL;
	char *uptime =
	    here ? read_first_line("%s", root_path("/proc/uptime")) : NULL;
	/* The processor of a virtual machine has a flag. */
	char *cpu = here ? read_whole("%s", root_path("/proc/cpuinfo")) : NULL;
	struct doctor_finding *row;
	struct told_ways ways;
	bool linked;

	d->virtual_machine = type || (cpu && strstr(cpu, " hypervisor")) ||
	                     doctor_is_guest(d->tree);
	d->uptime_s = uptime ? strtod(uptime, NULL) : 0;
	free(cpu);
	free(type);
	free(uptime);
	check_access(d);
	ways = read_ways(&d->tree->facts);
	linked = ways.n[BY_NVLINK] + ways.n[BY_XGMI] > 0;
	if (!d->tree->n || (!chosen && (linked || !shows_peers(d->tree))))
		check_ways(d, &ways);
	if (!chosen)
		check_topology(d);
	if (!d->virtual_machine) {
		check_shared(d, chosen, linked);
	} else if (here) {
		row = doctor_add(
		    d, "hypervisor", SURE_BY_DESIGN, "virtual", NULL,
		    "this machine is virtual: the hypervisor may invent "
		    "links and settings, so no link is certain");
		doctor_say(&row->fix, "run pcb-doctor on the host");
	}
}

/* Translating groups: "DMA" waits for each unmap, "DMA-FQ" does not. */
void
machine_check_iommu(struct doctor *d, const struct pci_function *f)
{
	char *type = d->tree->sysfs && doctor_is_fast(f)
	                 ? read_first_line("%s/devices/%s/iommu_group/type",
	                                   d->tree->sysfs, f->bdf)
	                 : NULL;
	bool strict = type && !strcmp(type, "DMA");
	struct doctor_finding *row;

	if (strict || (type && !strcmp(type, "DMA-FQ"))) {
		row = doctor_add(
		    d, "iommu", strict ? SURE_LIKELY : SURE_BY_DESIGN,
		    "isolation", f, "the IOMMU translates its addresses (%s)%s",
		    type, strict ? ", and each unmap waits for it" : "");
		doctor_say(&row->cost,
		           "not in the model; an IOTLB miss took 280 ns more "
		           "on a published Xeon E5-2630 v4");
		doctor_say(&row->fix, "boot with iommu=pt");
		row->risk = "the device can reach all memory";
		doctor_verify(row, f, "lat_cfg");
	}
	free(type);
}
