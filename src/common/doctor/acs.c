/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ACS that redirects peer-to-peer traffic up to the root complex. */
#include "common/doctor/checks.h"
#include "common/doctor/cost.h"

#include <pci/pci.h>
#include <stdlib.h>
#include <string.h>

static bool
redirects(const struct pci_function *f)
{
	return f->pcie.port == PORT_DOWNSTREAM &&
	       (f->registers.value[REG_ACSCTL] &
	        (PCI_ACS_CTRL_REQ_RED | PCI_ACS_CTRL_CMPLT_RED));
}

/* Devices that use peer-to-peer traffic: GPUs, NICs, NVMe drives. */
static const struct pci_function *
peer_below(const struct pci_tree *tree, const struct pci_function *port)
{
	for (size_t i = 0; i < tree->n; i++) {
		const struct pci_function *f = &tree->function[i];

		if ((doctor_is_gpu(f) || doctor_is_nic(f) ||
		     doctor_is_nvme(f)) &&
		    f->link.bus == BUS_PCIE && pci_is_below(tree, f, port))
			return f;
	}
	return NULL;
}

/* The redirecting ports of a switch, and those with such a device. */
struct ports {
	const struct pci_function *first, *peer;
	unsigned n, peers;
	char *list;
};

static struct ports
find_ports(const struct doctor *d, const struct pci_function *f)
{
	struct ports ports = {0};

	for (size_t i = 0; i < d->tree->n; i++) {
		const struct pci_function *port = &d->tree->function[i];
		const struct pci_function *peer;

		if (strcmp(port->parent, f->parent) != 0 || !redirects(port))
			continue;
		peer = peer_below(d->tree, port);
		if (!ports.first)
			ports.first = port;
		if (!ports.peer)
			ports.peer = peer;
		ports.n++;
		ports.peers += peer != NULL;
		xappend(&ports.list, " ", "%s", port->bdf);
	}
	return ports;
}

/* Redirected packets cross the shared link above the switch twice. */
static void
say_cost(const struct doctor *d, struct doctor_finding *row,
         const struct ports *ports)
{
	const struct pci_function *above =
	    pci_find(d->tree, ports->first->parent);
	double own = doctor_gbit_s(d->tree, ports->peer, "bw_wr", 256, 0);
	double shared =
	    above ? doctor_gbit_s(d->tree, above, "bw_wr", 256, 0) : own;

	shared /= ports->peers;
	doctor_set_cost(row, shared < own ? shared : own, own,
	                "writes of 256 bytes between peers, all at once");
}

void
doctor_check_acs(struct doctor *d, const struct pci_function *f)
{
	struct ports ports;
	struct doctor_finding *row;

	if (!redirects(f))
		return;
	ports = find_ports(d, f);
	if (ports.first == f && ports.peers > 1) {
		row = doctor_add(&d->found, "acs", SURE_LIKELY, f);
		doctor_say(&row->what,
		           "ACS redirects traffic between peers below this "
		           "switch through the root complex: %s",
		           ports.list);
		say_cost(d, row, &ports);
		doctor_say(&row->mend, "boot with pci=disable_acs_redir=%s",
		           f->bdf);
		doctor_say(&row->risk,
		           "devices are no longer isolated from each other: do "
		           "not do this if virtual machines own them");
		doctor_prove(row, ports.peer);
	}
	free(ports.list);
}
