/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/pio/probe.h"

#include "collect/pci/device.h"
#include "collect/pio/safe_regs.h"
#include "common/sys/sysfs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether a BAR of memory is there: its flags, of linux/ioport.h. */
static bool
has_memory(const struct pci_tree *tree, const struct pci_function *f)
{
	char *path = xasprintf("%s/devices/%s/resource", tree->sysfs, f->bdf);
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	bool found = false;

	if (!file)
		die_if_short(path);
	for (int bar = 0; file && bar < 6 && getline(&line, &size, file) > 0;
	     bar++) {
		const char *flags = strrchr(line, ' ');

		found = found || (flags && strtoul(flags, NULL, 16) & 0x200);
	}
	if (file)
		fclose(file);
	free(line);
	free(path);
	return found;
}

/* A register of a BAR must be named, or known. */
static void
probe_mmio(bool named, const struct safe_regs *known,
           const struct pci_tree *tree, const struct pci_function *f,
           struct finding *found)
{
	if (!has_memory(tree, f))
		return;
	if (named || safe_regs_find(known, f))
		found->benches |= BENCH_BIT(LAT_MMIO);
	else
		finding_text(
		    &found->why_not,
		    "lat_mmio: name a register (-O register=BAR0+0x8)");
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
