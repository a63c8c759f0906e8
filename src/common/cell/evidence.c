/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/cell/evidence.h"

#include "common/base/util.h"
#include "common/cell/cells.h"
#include "common/doctor/doctor.h"
#include "common/sys/sysfs.h"

#include <pci/pci.h>
#include <unistd.h>

/* A link with more lanes is none of a chipset. */
#define CHIPSET_LANES 4

static void
add(struct subject *s, const char *name, const char *value, const char *source)
{
	s->found[s->n++] = (struct evidence){name, value, source};
}

/* Settings of the device, if its registers show them. */
static void
find_settings(struct subject *s)
{
	const uint32_t relaxed = PCI_EXP_DEVCTL_RELAXED;
	const struct pci_registers *r = &s->device->registers;
	const struct pci_function *up = s->device->up;

	if (!s->path->link.assumed)
		add(s, "mps", s->path->link.mps > 128 ? "256" : "128", s->from);
	if (r->seen[REG_DEVCTL] & relaxed)
		add(s, "ordering",
		    r->value[REG_DEVCTL] & relaxed ? "ro_on" : "ro_off",
		    s->from);
	if (up && (r->seen[REG_LNKCTL] & up->registers.seen[REG_LNKCTL] &
	           PCI_EXP_LNKCTL_ASPM) == PCI_EXP_LNKCTL_ASPM)
		add(s, "aspm",
		    doctor_aspm(s->device) & doctor_aspm(up) ? "on" : "off",
		    s->from);
}

/*
 * Errors of the links of the path since boot. That there were none only the
 * kernel's counters say: its log may have lost lines, and it clears registers.
 */
static void
find_errors(struct subject *s)
{
	struct doctor d = {.tree = s->tree};
	const struct pci_function *f = s->device;
	bool counted = s->here, any = false;

	for (; f && !any; f = f->up) {
		char *counts =
		    s->here ? read_first_line("%s/aer_dev_correctable", f->path)
		            : NULL;

		counted &= counts != NULL;
		free(counts);
		doctor_check_function(&d, f);
		for (size_t i = 0; i < d.found.n; i++) {
			const struct doctor_finding *row = &d.found.row[i];
			bool is = !strcmp(row->check, "errors");

			counted &= !is;
			any |= is && row->sure > SURE_BY_DESIGN;
		}
	}
	doctor_findings_free(&d.found);
	free(d.teller);
	if (any)
		add(s, "errors", "counted", s->from);
	else if (counted)
		add(s, "errors", "none", s->from);
}

/* Whether others use the link above this port of a switch. */
static bool
is_shared(const struct subject *s, const struct pci_function *port)
{
	const struct pci_function *f = port;
	bool shared = false;

	while ((f = pci_next_below(s->tree, port, f)))
		shared |= pci_class_of(f) && f->link.bus == BUS_PCIE &&
		          !bdf_same_device(f->bdf, s->device->bdf);
	return shared;
}

/* Whether the path passes a tunnel, and whether others share its links. */
static void
find_path(struct subject *s)
{
	bool tunnel = false, shared = false;
	const struct path *path = s->path;

	for (const struct pci_function *f = s->device; f; f = f->up) {
		tunnel |= doctor_is_tunnel(f);
		shared |= f->pcie.port == PORT_UPSTREAM && is_shared(s, f);
	}
	if (tunnel || path->rooted)
		add(s, "tree", tunnel ? "tunnel" : "no_tunnel", s->from);
	if (shared)
		add(s, "path", "shared", s->from);
	else if (path->rooted && path->n > 1 &&
	         path->hop[path->n - 2].link.lanes > CHIPSET_LANES)
		add(s, "path", "direct", s->from);
}

/* What a matrix says of all `others`, if that is the same, or NULL. */
static const char *
told_of_all(const struct facts *facts, const char *gpu, enum fact_kind kind,
            size_t others)
{
	static const struct {
		const char *cell, *value;
	} cells[] = {{"PIX", "switch"},      {"PXB", "switch"},
	             {"PHB", "host_bridge"}, {"NODE", "host_bridge"},
	             {"SYS", "sys"},         {"OK", "on"},
	             {"NS", "off"},          {"CNS", "off"},
	             {"GNS", "off"},         {"TNS", "off"}};
	const struct fact *fact = facts_find(facts, gpu, kind);
	const char *all = NULL;
	size_t gpus = 0;

	for (; fact; fact = facts_next(facts, fact)) {
		const char *cell = strchr(fact->value, ' '), *value = NULL;

		if (strncmp(fact->value, "gpu", 3) != 0)
			continue;
		for (size_t i = 0; i < ARRAY_LEN(cells) && !value; i++) {
			if (!strcmp(cell + 1, cells[i].cell))
				value = cells[i].value;
		}
		if (!value || (gpus && strcmp(value, all) != 0))
			return NULL;
		all = value;
		gpus++;
	}
	/* Guests show all pairs as SYS. */
	return !gpus || gpus != others || (gpus > 1 && !strcmp(all, "sys"))
	           ? NULL
	           : all;
}

/* What nvidia-smi says of the ways to all other GPUs. */
static void
find_told_peers(struct subject *s, const struct machine *m, size_t own,
                bool topo)
{
	const struct facts *facts = &s->tree->facts;
	const char *way, *p2p;
	char gpu[BDF_MAX];
	size_t others = 0;

	if (m->node[own].class != CLASS_GPU)
		return;
	for (size_t i = 0; i < m->nnodes; i++)
		others += i != own && m->node[i].class == CLASS_GPU;
	snprintf(gpu, sizeof gpu, "gpu%zu", m->node[own].number % 1000);
	way = told_of_all(facts, gpu, FACT_WAY, others);
	p2p = told_of_all(facts, gpu, FACT_PEER, others);
	if (topo && way)
		add(s, "topo", way, fact_sources[FROM_MATRIX]);
	if (p2p)
		add(s, "p2p", p2p,
		    fact_sources[facts_find(facts, gpu, FACT_PEER)->source]);
}

/* The ways to all other devices of its class, if these are alike. */
static void
find_peers(struct subject *s)
{
	static const char *const ways[] = {"switch", "host_bridge", "sys"};
	const struct machine *m = s->machine;
	size_t own = m->node_of[s->device - s->tree->function], n = 0;
	struct flow f = {.from = own}, first = f;
	bool alike = own != MACHINE_NONE && s->path->rooted, placed;

	for (size_t i = 0; alike && i < m->nnodes; i++) {
		if (i == own || m->node[i].class != m->node[own].class)
			continue;
		f.to = i;
		/* Two root buses may be of two sockets. */
		placed = m->only_node >= 0 || (s->device->node >= 0 &&
		                               m->node[i].function->node >= 0);
		alike = !machine_route(m, &f) &&
		        (placed || f.redirected || !f.crosses) &&
		        (!n || (f.crosses == first.crosses &&
		                f.redirected == first.redirected));
		first = f;
		n++;
	}
	if (alike && n && first.redirected)
		add(s, "acs", "redirect", s->from);
	if (alike && n)
		add(s, "topo", ways[first.redirected ? 0 : first.crosses],
		    s->from);
	if (own != MACHINE_NONE)
		find_told_peers(s, m, own, !alike || !n);
	free(f.step);
}

/* What the ports above say of transfers between devices. */
static void
find_ports(struct subject *s)
{
	const uint32_t redirect = PCI_ACS_CTRL_REQ_RED | PCI_ACS_CTRL_CMPLT_RED;
	const struct pci_function *f = s->device->up, *top = s->device;
	bool off = false, unseen = false;
	char *cpu = NULL;
	unsigned forward;

	for (; f; top = f, f = f->up) {
		const struct pci_registers *r = &f->registers;

		if (f->pcie.port != PORT_DOWNSTREAM)
			continue;
		off = true;
		unseen |= ~r->seen[REG_ACSCTL] & redirect ||
		          r->value[REG_ACSCTL] & redirect;
	}
	if (off && !unseen)
		add(s, "acs", "off", s->from);
	forward = top->pcie.port == PORT_ROOT ? port_forward(top, &cpu) : 0;
	free(cpu);
	if (forward && traffic_work(s->traffic)->writes)
		add(s, "root", forward > 64 ? "other" : "sapphire_rapids",
		    s->from);
}

/* What the machine's files say, or its log. */
static void
find_host(struct subject *s)
{
	unsigned iommu = s->tree->facts.log.iommu;
	const char *from = "the kernel's log";

	if (s->here) {
		char *type =
		    read_first_line("%s/iommu_group/type", s->device->path);

		from = s->from;
		iommu = type && !strncmp(type, "DMA", 3) ? IOMMU_TRANSLATES
		                                         : IOMMU_PASSES;
		free(type);
		if (!traffic_is_peer(s->traffic) &&
		    access(root_path("/sys/devices/system/node/node1"), F_OK))
			add(s, "node", "local", from);
	}
	if (iommu)
		add(s, "iommu",
		    iommu == IOMMU_TRANSLATES ? "translates" : "off_or_pt",
		    from);
}

void
evidence_find(struct subject *s)
{
	find_settings(s);
	find_errors(s);
	find_host(s);
	if (s->guest) {
		add(s, "guest", "vm", s->from);
	} else if (traffic_is_peer(s->traffic)) {
		find_peers(s);
		find_ports(s);
	} else {
		find_path(s);
	}
}
