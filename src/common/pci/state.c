/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides whether a link sleeps, by the registers of both ends. */
#include "common/pci/state.h"

#include "common/base/intmath.h"

#include <pci/pci.h>

/* What two ends support: 0 is an end that was not seen. */
static unsigned
both(unsigned a, unsigned b)
{
	return a && b ? (unsigned)min_u64(a, b) : a + b;
}

static bool
is_lowered(const struct pci_tree *tree, const struct pci_function *f,
           const struct pci_function *port)
{
	uint32_t changed = f->registers.value[REG_LNKSTA] |
	                   (port ? port->registers.value[REG_LNKSTA] : 0);
	const struct pci_function *at = f;

	if ((f->registers.value[REG_POWER] & PCI_PM_CTRL_STATE_MASK) ||
	    (changed & PCI_EXP_LNKSTA_AUTBW))
		return true;
	while (at && pci_class_of(at) != CLASS_GPU)
		at = port ? pci_next_below(tree, port, at) : NULL;
	return at && f->pcie.gen == 1;
}

void
pci_find_states(struct pci_tree *tree)
{
	for (size_t i = 0; i < tree->n; i++) {
		struct pci_function *f = &tree->function[i];
		const struct pci_function *up = f->up;
		const struct pci_function *port =
		    up && (up->pcie.port == PORT_ROOT ||
		           up->pcie.port == PORT_DOWNSTREAM)
		        ? up
		        : NULL;
		unsigned target =
		    port ? register_field(&port->registers, REG_LNKCTL2, 0xf)
		         : 0;
		unsigned now = f->pcie.gen, can;

		f->could_gen =
		    both(pci_max_gen(f), port ? pci_max_gen(port) : 0);
		f->could_lanes =
		    both(pci_max_lanes(f), port ? pci_max_lanes(port) : 0);
		can = target > now ? both(f->could_gen, target) : f->could_gen;
		f->awake_gen =
		    now && can > now && can < 8 && is_lowered(tree, f, port)
		        ? can
		        : now;
	}
}

struct link
pci_awake_link(const struct pci_function *f)
{
	struct link link = f->link;

	if (pci_link_sleeps(f)) {
		link.gen = f->awake_gen;
		link.flit |= link.gen > 5;
	}
	return link;
}

bool
pci_link_sleeps(const struct pci_function *f)
{
	return f->link.bus == BUS_PCIE && f->awake_gen > f->link.gen;
}
