/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/pci/complete.h"

#include "common/base/util.h"

#include <pci/pci.h>

static int
by_bdf(const void *a, const void *b)
{
	return bdf_order(((const struct pci_function *)a)->bdf,
	                 ((const struct pci_function *)b)->bdf);
}

/* The bridges above a function, by paths, lead to its bus. */
static void
add_buses(struct pci_tree *tree, const struct pci_function *f)
{
	unsigned bus = bdf_split(f->bdf).bus;
	const struct fact *above = facts_find(&tree->facts, f->bdf, FACT_ABOVE);

	for (size_t depth = 0; above && depth < tree->n; depth++) {
		struct pci_function *bridge =
		    (struct pci_function *)pci_find(tree, above->value);

		if (!bridge || bdf_split(bridge->bdf).bus >= bus)
			return;
		if (!bridge->first_bus || bus < bridge->first_bus)
			bridge->first_bus = bus;
		if (bus > bridge->last_bus)
			bridge->last_bus = bus;
		above = facts_find(&tree->facts, bridge->bdf, FACT_ABOVE);
	}
}

/* Whether a fact is of a GPU of nvidia-smi that has a number, no address. */
static bool
is_numbered(const struct fact *f)
{
	return f->source == FROM_SMI && !strncmp(f->bdf, "gpu", 3);
}

/*
 * Gives GPUs that nvidia-smi numbers the addresses of as many GPUs of NVIDIA
 * that the text shows: it counts in the order of buses.
 */
static void
place_gpus(struct pci_tree *tree)
{
	struct facts *facts = &tree->facts;
	const char **bdf = NULL;
	size_t n = 0, numbered = 0, told = 0;

	for (size_t i = 0; i < facts->n; i++) {
		const struct fact *f = &facts->item[i];

		numbered += is_numbered(f) && f->kind == FACT_CLASS &&
		            (!i || strcmp(f[-1].bdf, f->bdf) != 0);
	}
	for (size_t i = 0; i < tree->n; i++) {
		const struct pci_function *f = &tree->function[i];

		if (f->class_code >> 24 == PCI_BASE_CLASS_DISPLAY &&
		    (f->vendor_id == 0x10de ||
		     (f->title && strstr(f->title, "NVIDIA"))))
			array_push(bdf, n, f->bdf);
	}
	for (size_t i = 0; i < facts->n; i++) {
		struct fact *f = &facts->item[i];
		size_t number = strtoul(f->bdf + 3, NULL, 10);

		if (n == numbered && is_numbered(f) && number < n) {
			snprintf(f->bdf, sizeof f->bdf, "%s", bdf[number]);
			told++;
		}
	}
	free(bdf);
	if (told)
		facts_order(facts);
}

/* Logs and lspci tell of functions that matter to nobody. */
static bool
names_function(const struct fact *f)
{
	switch (f->source) {
	case FROM_LOG:
		return f->kind == FACT_LIMIT || f->kind == FACT_EVENT;
	case FROM_LSPCI:
		return f->kind == FACT_CLASS ||
		       (f->kind == FACT_ABOVE && *f->value != 'p');
	case FROM_AMD:
		return f->kind < FACT_WAY && f->kind != FACT_NODE;
	default:
		return f->source != FROM_MATRIX;
	}
}

void
complete_functions(struct pci_tree *tree)
{
	const struct facts *facts = &tree->facts;
	size_t known = tree->n;

	if (known)
		qsort(tree->function, known, sizeof *tree->function, by_bdf);
	place_gpus(tree);
	for (size_t i = 0; i < facts->n; i++) {
		struct pci_function f = {
		    .node = -1,
		    .basic = true,
		    .pcie = {.port = PORT_UNSEEN, .aspm = ""}};
		struct pci_tree before = *tree;

		memcpy(f.bdf, facts->item[i].bdf, sizeof f.bdf);
		before.n = known;
		if (!names_function(&facts->item[i]) ||
		    pci_find(&before, f.bdf) ||
		    (tree->n > known &&
		     !strcmp(tree->function[tree->n - 1].bdf, f.bdf)))
			continue;
		f.driver = xstrdup("");
		array_push(tree->function, tree->n, f);
	}
	if (tree->n > known)
		qsort(tree->function, tree->n, sizeof *tree->function, by_bdf);
	for (size_t i = 0; i < tree->n; i++)
		add_buses(tree, &tree->function[i]);
}

static bool
is_bridge(const struct pci_tree *tree, const struct pci_function *f)
{
	long class = facts_number(&tree->facts, f->bdf, FACT_CLASS, 0) << 8;

	return (f->class_code ? (long)f->class_code : class) >> 16 ==
	       PCI_CLASS_BRIDGE_PCI;
}

/* The kind of a function with a link, by its place. */
static enum port
port_at(const struct pci_tree *tree, const struct pci_function *f)
{
	enum port above = f->up ? f->up->pcie.port : PORT_NONE;
	const struct pci_function *below =
	    f->first_bus ? pci_next_below(tree, f, f) : NULL;

	/* Their links say nothing; in a virtual machine they may. */
	if (f->class_code >> 16 != PCI_CLASS_BRIDGE_PCI && !f->up)
		return f->pcie.gen && f->pcie.lanes ? PORT_ENDPOINT
		                                    : PORT_INTEGRATED;
	if (f->class_code >> 16 != PCI_CLASS_BRIDGE_PCI)
		return above == PORT_TO_PCI ? PORT_UNSEEN : PORT_ENDPOINT;
	if (!f->up)
		return PORT_ROOT;
	if (above == PORT_UPSTREAM)
		return PORT_DOWNSTREAM;
	if (above != PORT_ROOT && above != PORT_DOWNSTREAM)
		return PORT_UNSEEN;
	/*
	 * Functions on a conventional bus have no link; if no link is known,
	 * below an upstream port are the other ports of its switch.
	 */
	if (!below)
		return PORT_UPSTREAM;
	return (f->pcie.placed
	            ? !is_bridge(tree, below)
	            : !facts_find(&tree->facts, below->bdf, FACT_LANES) &&
	                  !below->registers.seen[REG_LNKSTA])
	           ? PORT_TO_PCI
	           : PORT_UPSTREAM;
}

static void
set_field(struct pci_function *f, enum pci_register reg, uint32_t mask,
          long value)
{
	if (value >= 0)
		registers_set(&f->registers, reg,
		              mask & ~f->registers.seen[reg],
		              (uint32_t)value * (mask & -mask));
}

static void
set_link(const struct pci_tree *tree, struct pci_function *f, bool class)
{
	static const struct {
		enum fact_kind kind;
		enum pci_register reg;
		uint32_t mask;
	} fields[] = {
	    {FACT_GEN, REG_LNKSTA, PCI_EXP_LNKSTA_SPEED},
	    {FACT_LANES, REG_LNKSTA, PCI_EXP_LNKSTA_WIDTH},
	    {FACT_MAX_GEN, REG_LNKCAP, PCI_EXP_LNKCAP_SPEED},
	    {FACT_MAX_LANES, REG_LNKCAP, PCI_EXP_LNKCAP_WIDTH},
	    {FACT_L0S, REG_LNKCTL, 1},
	    {FACT_L1, REG_LNKCTL, 2},
	};
	const struct pci_registers *r = &f->registers;
	const struct fact *power = facts_find(&tree->facts, f->bdf, FACT_POWER);

	for (size_t i = 0; i < ARRAY_LEN(fields); i++)
		set_field(
		    f, fields[i].reg, fields[i].mask,
		    facts_number(&tree->facts, f->bdf, fields[i].kind, -1));
	if (power && !strncmp(power->value, "D3", 2))
		set_field(f, REG_POWER, PCI_PM_CTRL_STATE_MASK, 3);
	f->pcie.gen = register_field(r, REG_LNKSTA, PCI_EXP_LNKSTA_SPEED);
	f->pcie.lanes = register_field(r, REG_LNKSTA, PCI_EXP_LNKSTA_WIDTH);
	if (class)
		f->pcie.port = port_at(tree, f);
	if (f->pcie.port == PORT_INTEGRATED)
		f->pcie.gen = f->pcie.lanes = 0;
	f->pcie.files = f->basic = true;
	f->link = pcie_cap_link(&f->pcie);
}

/* Sets the kind of a function whose place a topology shows, but no link. */
static void
set_place(const struct pci_tree *tree, struct pci_function *f)
{
	static const struct {
		const char *words; /* of the kernel */
		enum port port;
	} kinds[] = {
	    {"Endpoint", PORT_ENDPOINT},
	    {"Legacy Endpoint", PORT_ENDPOINT},
	    {"Root Port", PORT_ROOT},
	    {"Switch Upstream Port", PORT_UPSTREAM},
	    {"Switch Downstream Port", PORT_DOWNSTREAM},
	};
	const struct facts *facts = &tree->facts;
	const struct fact *above = facts_find(facts, f->bdf, FACT_ABOVE);
	const struct fact *kind = facts_find(facts, f->bdf, FACT_KIND);
	const struct fact *title = facts_find(facts, f->bdf, FACT_TITLE);

	if (!(above && above->source != FROM_SYSFS) &&
	    !(kind && kind->source == FROM_NCCL))
		return;
	if (!f->title && !f->vendor_id && title)
		f->title = xstrdup(title->value);
	f->pcie.placed = true;
	f->pcie.port = f->up && f->up->pcie.port == PORT_TO_PCI
	                   ? PORT_NONE
	                   : port_at(tree, f);
	for (size_t i = 0; kind && i < ARRAY_LEN(kinds); i++) {
		if (!strcmp(kind->value, kinds[i].words))
			f->pcie.port = kinds[i].port;
	}
}

/* Whether lines that grep left of lspci show its link, and others its place. */
static bool
is_grepped(const struct pci_function *f)
{
	const uint32_t *seen = f->registers.seen;

	return seen[REG_LNKCAP] && (seen[REG_LNKSTA] & PCI_EXP_LNKSTA_WIDTH) &&
	       (f->up || f->first_bus);
}

/* Whether it says that /sys shows a link. */
static bool
has_files(const struct fact *f)
{
	return f && f->kind == FACT_LANES && f->source == FROM_SYSFS;
}

void
complete_links(struct pci_tree *tree)
{
	const struct facts *facts = &tree->facts;
	bool linked = false;

	for (size_t i = 0; i < facts->n; i++)
		linked |= has_files(&facts->item[i]);
	for (size_t i = 0; i < tree->n; i++) {
		struct pci_function *f = &tree->function[i];
		const struct fact *class =
		    facts_find(facts, f->bdf, FACT_CLASS);
		const struct fact *title =
		    facts_find(facts, f->bdf, FACT_TITLE);

		if (!f->vendor_id) {
			f->vendor_id = (uint16_t)facts_number(facts, f->bdf,
			                                      FACT_VENDOR, 0);
			f->device_id = (uint16_t)facts_number(facts, f->bdf,
			                                      FACT_DEVICE, 0);
		}
		if (!f->title && !f->vendor_id && title &&
		    (title->source == FROM_SMI || title->source == FROM_AMD))
			f->title = xstrdup(title->value);
		if (class && !f->class_code)
			f->class_code = (uint32_t)strtoul(class->value, NULL, 0)
			                << 8;
		if (f->node < 0)
			f->node =
			    (int)facts_number(facts, f->bdf, FACT_NODE, -1);
		if (f->pcie.port != PORT_UNSEEN)
			continue;
		if (has_files(facts_find(facts, f->bdf, FACT_LANES)))
			set_link(tree, f, class);
		else if (is_grepped(f))
			set_link(tree, f, true);
		else if (linked && class && class->source == FROM_SYSFS)
			/* The kernel makes files of all links. */
			f->pcie.port = PORT_NONE;
		else
			set_place(tree, f);
	}
}
