/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds PCI functions and lists them as findings. */
#include "collect/pci/device.h"

#include <errno.h>
#include <string.h>

struct pci_tree *
function_tree(struct session *s, const char *sysfs)
{
	struct pci_tree *tree = pci_tree_read(sysfs);

	if (!tree)
		fail(s, STATUS_ABSENT, "%s/devices: %s", sysfs,
		     strerror(errno));
	return tree;
}

const struct pci_function *
function_find(struct session *s, const struct pci_tree *tree, const char *bdf)
{
	const struct pci_function *f = pci_find(tree, bdf);

	if (!f)
		fail(s, STATUS_ABSENT,
		     "%s: no such device ('pcb-collect list' shows all)", bdf);
	return f;
}

void
pci_identify(struct series *series, const char *kind,
             const struct pci_function *f)
{
	char link[LINK_TEXT_MAX];

	link_format(&f->link, link);
	series_identify(series, kind, f->bdf, link);
	series_set(series, ID_PARENT, "%s", f->parent);
}

struct finding *
function_found(struct findings *list, const char *backend,
               const struct pci_function *f)
{
	struct finding *found = findings_add(list, backend);
	char link[LINK_TEXT_MAX];

	link_format(&f->link, link);
	finding_text(&found->device, "%s", f->bdf);
	finding_text(&found->parent, "%s", f->parent);
	finding_text(&found->link, "%s", link);
	finding_text(&found->driver, "%s", f->driver);
	found->vendor_id = f->vendor_id;
	found->device_id = f->device_id;
	if (f->node >= 0)
		finding_text(&found->node, "%d", f->node);
	return found;
}
