/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Dumps of config space: refused, or decoded to a possible path. */
#include "fuzz/dump.h"

#include "common/pci/path.h"

static void
look_at_cap(const struct pcie_cap *e)
{
	must(e->port <= PORT_INTEGRATED && e->aspm);
	must(e->gen <= 15 && e->lanes <= 63);
	must(e->mps <= 4096 && e->mrrs <= 4096 && e->rcb <= 128);
	must(e->tags <= 15360);
	must(e->port > PORT_UNSEEN || (!e->mps && !e->tags && !e->ecrc));
}

static void
look_at_path(const struct pci_function *f)
{
	struct path path = {0};
	const char *why = path_find(&path, f);

	must(!why == (f->link.bus == BUS_PCIE));
	if (why)
		return;
	must(path.n && path.n <= 256 && path.limit < path.n);
	must(!strcmp(path.hop[0].bdf, f->bdf));
	must(!link_check(&path.link) && path.link.mps == f->link.mps);
	must(path.completion_mps >= 128 && path.completion_mps <= 4096);
	path_free(&path);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct pci_tree *tree = read_dump(bytes, size);

	for (size_t i = 0; tree && i < tree->n; i++) {
		look_at_cap(&tree->function[i].pcie);
		look_at_path(&tree->function[i]);
	}
	pci_tree_free(tree);
	return 0;
}
