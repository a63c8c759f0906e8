/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the links from a device up to the root port. */
#include "common/pci/path.h"

#include "common/base/util.h"

#include <stdlib.h>
#include <string.h>

static const char *
why_no_link(const struct pcie_cap *e)
{
	switch (e->port) {
	case PORT_NONE:
		return "no PCI Express capability: it is on a conventional "
		       "bus, or emulated";
	case PORT_UNSEEN:
		return "cannot read its PCI Express capability: run as root "
		       "(for a dump, lspci -xxx or -xxxx)";
	case PORT_ROOT:
	case PORT_DOWNSTREAM:
		return "it is a port whose link is below it: name the device "
		       "there";
	case PORT_FROM_PCI:
		return "the bus above it is conventional PCI";
	case PORT_INTEGRATED:
		return "it is integrated in the root complex: its connection "
		       "is not visible";
	case PORT_ENDPOINT:
	case PORT_UPSTREAM:
	case PORT_TO_PCI:
		break;
	}
	return "its registers show no trained link; for a virtual function, "
	       "name the physical one";
}

bool
hop_is_unseen(const struct hop *hop)
{
	return hop->link.bus == BUS_UNKNOWN && hop->port != PORT_ROOT &&
	       hop->port != PORT_DOWNSTREAM;
}

static void
add_hop(struct path *path, const struct pci_function *f)
{
	struct hop *hop;

	path->hop = xreallocarray(path->hop, path->n + 1, sizeof *path->hop);
	hop = &path->hop[path->n++];
	*hop = (struct hop){.port = f->pcie.port, .link = f->link};
	memcpy(hop->bdf, f->bdf, sizeof hop->bdf);
}

/* Sets the completer's part from the root port. */
static void
set_completer(struct path *path, const struct pcie_cap *root)
{
	path->rooted = true;
	if (root->mps)
		path->completion_mps = root->mps;
	if (root->rcb)
		path->link.rcb = root->rcb;
	path->completion_ecrc = root->ecrc == TRISTATE_YES;
	path->completion_ecrc_seen = root->ecrc != TRISTATE_UNKNOWN;
}

/* The link of a function at the rate of another link. */
static struct link
at_rate_of(struct link link, const struct link *other)
{
	link.gen = other->gen;
	link.lanes = other->lanes;
	link.flit = other->flit;
	return link;
}

/* Of equally slow links, the one nearest to the function is the limit. */
static void
find_limit(struct path *path)
{
	for (size_t i = 1; i < path->n; i++) {
		struct link_config least = {.link = path->link}, config = least;

		if (path->hop[i].link.bus != BUS_PCIE)
			continue;
		config.link = at_rate_of(path->link, &path->hop[i].link);
		if (tlp_gbit_s(&config) < tlp_gbit_s(&least)) {
			path->limit = i;
			path->link = config.link;
		}
	}
}

const char *
path_find(struct path *path, const struct pci_tree *tree,
          const struct pci_function *function)
{
	const struct pcie_cap *own = &function->pcie;

	if (function->link.bus == BUS_UNKNOWN)
		return why_no_link(own);
	*path = (struct path){
	    .link = function->link,
	    .ecrc_seen = own->ecrc != TRISTATE_UNKNOWN,
	    .tags = own->tags,
	    .completion_mps = function->link.mps,
	    .completion_ecrc = function->link.ecrc,
	    .completion_ecrc_seen = own->ecrc != TRISTATE_UNKNOWN,
	};
	/* Parents are on lower buses, so this ends. */
	for (const struct pci_function *f = function; f && !path->rooted;
	     f = pci_find(tree, f->parent)) {
		add_hop(path, f);
		if (f->pcie.port == PORT_ROOT)
			set_completer(path, &f->pcie);
	}
	find_limit(path);
	return NULL;
}

struct link_config
path_link_config(const struct path *path)
{
	struct link_config config = {
	    .link = path->link, .back = path->link, .path = path};

	config.back.mps = path->completion_mps;
	config.back.ecrc = path->completion_ecrc;
	return config;
}

void
path_free(struct path *path)
{
	free(path->hop);
	*path = (struct path){0};
}
