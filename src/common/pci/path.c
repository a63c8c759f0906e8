/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the links from a device up to the root port. */
#include "common/pci/path.h"

#include "common/base/util.h"

static const char *
why_no_link(const struct pcie_cap *e)
{
	static const char port[] = "it is a port whose link is below it: name "
	                           "the device there";
	static const char *const reasons[] = {
	    [PORT_NONE] = "no PCI Express capability: it is on a conventional "
	                  "bus, or emulated",
	    [PORT_UNSEEN] = "cannot read its PCI Express capability: run as "
	                    "root (a dump needs all that lspci -vvv prints)",
	    [PORT_ROOT] = port,
	    [PORT_DOWNSTREAM] = port,
	    [PORT_FROM_PCI] = "the bus above it is conventional PCI",
	    [PORT_INTEGRATED] = "it is integrated in the root complex: its "
	                        "connection is not visible",
	};

	return e->placed && (!reasons[e->port] || e->port == PORT_NONE)
	           ? "a topology does not show what its link runs at"
	       : reasons[e->port]
	           ? reasons[e->port]
	           : "its registers show no trained link; for a virtual "
	             "function, name the physical one";
}

bool
hop_is_unseen(const struct hop *hop)
{
	return hop->link.bus == BUS_UNKNOWN && hop->port != PORT_ROOT &&
	       hop->port != PORT_DOWNSTREAM;
}

/* Of equally slow links, the one nearest to the function is the limit. */
static void
find_limit(struct path *path)
{
	for (size_t i = 1; i < path->n; i++) {
		struct link_config least = {.link = path->link}, config = least;

		if (path->hop[i].link.bus != BUS_PCIE)
			continue;
		config.link.gen = path->hop[i].link.gen;
		config.link.lanes = path->hop[i].link.lanes;
		config.link.flit = path->hop[i].link.flit;
		if (tlp_gbit_s(&config) < tlp_gbit_s(&least)) {
			path->limit = i;
			path->link = config.link;
		}
	}
}

const char *
path_find(struct path *path, const struct pci_function *function)
{
	const struct pcie_cap *own = &function->pcie;

	if (function->link.bus == BUS_UNKNOWN)
		return why_no_link(own);
	*path = (struct path){
	    .link = pci_awake_link(function),
	    .tags = own->tags,
	    .completion_mps = function->link.mps,
	    .completion_ecrc = function->link.ecrc,
	};
	/* Parents are on lower buses, so this ends. */
	for (const struct pci_function *f = function; f && !path->rooted;
	     f = f->up) {
		const struct pcie_cap *e = &f->pcie;
		struct hop hop = {
		    .port = e->port,
		    .link = pci_awake_link(f),
		    .now = pci_link_sleeps(f) ? f->link.gen : 0,
		};

		memcpy(hop.bdf, f->bdf, sizeof hop.bdf);
		array_push(path->hop, path->n, hop);
		if (e->port != PORT_ROOT)
			continue;
		path->rooted = true;
		if (e->mps)
			path->completion_mps = e->mps;
		if (e->rcb)
			path->link.rcb = e->rcb;
		path->completion_ecrc = e->ecrc == TRISTATE_YES;
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
