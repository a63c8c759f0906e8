/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Links that only nvidia-smi or the kernel's log tells of. */
#include "common/machine/machine.h"

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
static unsigned
gen_at_boot(const struct pci_tree *tree, const struct pci_function *f,
            unsigned *lanes)
{
	const struct fact *limit =
	    facts_last(&tree->facts, f->bdf, FACT_LIMIT, FROM_LOG);
	unsigned gen;

	if (!limit || sscanf(limit->value, "gen%ux%u", &gen, lanes) != 2 ||
	    (tree->facts.log.tunnels && gen == 1 &&
	     (*lanes == 1 || *lanes == 4)))
		return 0;
	return gen;
}

bool
machine_told(const struct pci_tree *tree, const struct pci_function *f,
             struct told *told)
{
	unsigned lanes = number_by(tree, f, FACT_LANES, FROM_SMI), most;
	unsigned now = lanes ? number_by(tree, f, FACT_GEN, FROM_SMI) : 0;
	bool gpu = now || pci_class_of(f) == CLASS_GPU;

	*told = (struct told){.gpu = now, .by = "nvidia-smi"};
	if (now) {
		most = number_by(tree, f, FACT_PAIR_GEN, FROM_SMI);
	} else {
		told->by = "the kernel's log, at boot";
		now = gen_at_boot(tree, f, &lanes);
		most = number_by(tree, f, FACT_MAX_GEN, FROM_LOG);
	}
	told->link = (struct link){BUS_PCIE, .gen = now, .lanes = lanes};
	if (most > now && gpu &&
	    (now == 1 || facts_gpu_rests(&tree->facts, f->bdf))) {
		told->now = now;
		told->link.gen = most;
	}
	link_assume(&told->link);
	if ((f->pcie.port == PORT_UNSEEN || f->pcie.placed) &&
	    !link_check(&told->link))
		return true;
	*told = (struct told){0};
	return false;
}
