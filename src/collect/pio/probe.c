/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists the PCI functions that lat_cfg and lat_mmio can measure. */
#include "collect/pio/probe.h"

#include "collect/pci/bar.h"
#include "collect/pci/device.h"
#include "collect/pio/safe_regs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* "BAR0, BAR2": the memory BARs; NULL if there are none. */
static char *
list_memory(const struct pci_tree *tree, const struct pci_function *f)
{
	struct bar bars[BARS];
	char *found = NULL;

	bars_read(tree, f, bars);
	for (int i = 0; i < BARS; i++) {
		if (bars[i].memory)
			xappend(&found, ", ", "BAR%d", i);
	}
	return found;
}

/* lat_mmio needs a named register, or a safe one in the table. */
static void
probe_mmio(bool named, const struct safe_regs *known,
           const struct pci_tree *tree, const struct pci_function *f,
           struct finding *found)
{
	char *bars = list_memory(tree, f);

	if (!bars)
		return;
	if (named || safe_regs_find(known, f))
		found->benches |= BENCH_BIT(LAT_MMIO);
	else
		finding_text(
		    &found->why_not,
		    "lat_mmio: name a register of %s that its data sheet lets "
		    "you read: a read may have side effects (-O "
		    "register=BARn+OFFSET)",
		    bars);
	free(bars);
}

void
pci_probe(const char *sysfs, bool named, const char *backend,
          struct findings *list)
{
	struct pci_tree *tree = pci_tree_read(sysfs);
	struct safe_regs known;

	if (!tree) {
		finding_text(&findings_add(list, backend)->why_not,
		             "%s: %s/devices: %s", backend, sysfs,
		             strerror(errno));
		return;
	}
	known = safe_regs_read();
	for (size_t i = 0; i < tree->n; i++) {
		const struct pci_function *f = &tree->function[i];
		struct finding *found = function_found(list, backend, f);

		found->benches = BENCH_BIT(LAT_CFG);
		found->automatic = true;
		probe_mmio(named, &known, tree, f, found);
	}
	safe_regs_free(&known);
	pci_tree_free(tree);
}
