/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/machine/told.h"

#include "common/base/util.h"

#include <stdio.h>

static unsigned
number_by(const struct pci_tree *tree, const struct pci_function *f,
          enum fact_kind kind, enum fact_source source)
{
	const struct fact *fact =
	    facts_last(&tree->facts, f->bdf, kind, source);

	return fact ? (unsigned)strtoul(fact->value, NULL, 10) : 0;
}

/* "gen3x4 at 0000:00:1c.4 of gen3x16"; of a tunnel it says nothing. */
static struct link
link_at_boot(const struct pci_tree *tree, const struct pci_function *f)
{
	const struct link unknown = {.bus = BUS_PCIE};
	struct link link = link_usual;
	const struct fact *limit =
	    facts_last(&tree->facts, f->bdf, FACT_LIMIT, FROM_LOG);
	char text[LINK_TEXT_MAX];

	return !limit || sscanf(limit->value, "%63s at", text) != 1 ||
	               link_parse_brief(text, &link) ||
	               (tree->facts.log.tunnels && link.gen == 1 &&
	                (link.lanes == 1 || link.lanes == 4))
	           ? unknown
	           : link;
}

bool
machine_told(const struct pci_tree *tree, const struct pci_function *f,
             struct told *told)
{
	struct link *link = &told->link;
	enum fact_source by =
	    number_by(tree, f, FACT_LANES, FROM_SMI) ? FROM_SMI : FROM_AMD;
	unsigned most;

	*told = (struct told){.link.bus = BUS_PCIE, .by = fact_sources[by]};
	link->lanes = number_by(tree, f, FACT_LANES, by);
	link->gen = link->lanes ? number_by(tree, f, FACT_GEN, by) : 0;
	told->gpu = !link->gen ? NULL : by == FROM_SMI ? "NVIDIA" : "AMD";
	if (told->gpu) {
		most = number_by(tree, f, FACT_PAIR_GEN, by);
	} else {
		told->by = "the kernel's log, at boot";
		*link = link_at_boot(tree, f);
		most = number_by(tree, f, FACT_MAX_GEN, FROM_LOG);
	}
	if (most > link->gen && (told->gpu || pci_class_of(f) == CLASS_GPU) &&
	    (link->gen == 1 || facts_gpu_rests(&tree->facts, f->bdf))) {
		told->now = link->gen;
		link->gen = most;
	}
	link_assume(link);
	if ((f->pcie.port == PORT_UNSEEN || f->pcie.placed) &&
	    !link_check(link))
		return true;
	*told = (struct told){0};
	return false;
}
