/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the PCI functions that a list names. */
#include "collect/cli/device_names.h"

#include "collect/core/backend.h"
#include "common/base/list.h"
#include "common/base/nearest.h"
#include "common/base/util.h"
#include "common/pci/tree.h"
#include "common/sys/root.h"

#include <stdlib.h>
#include <string.h>

static void
add(struct device_names *names, const char *bdf)
{
	for (size_t i = 0; i < names->n; i++) {
		if (!strcmp(names->bdf[i], bdf))
			return;
	}
	array_push(names->bdf, names->n, xstrdup(bdf));
}

/*
 * eth0, /dev/sda, 8086:1533 may exist on another machine; "sim" is no device.
 */
static bool
may_be_device(const char *item)
{
	size_t n = strlen(item);

	return n &&
	       ((strchr("0123456789", item[n - 1]) && !strchr(item, ':')) ||
	        !strncmp(item, "/dev/", 5) ||
	        (n == 9 && item[4] == ':' &&
	         strspn(item, "0123456789abcdefABCDEF") == 4));
}

static _Noreturn void
refuse(const char *item)
{
	struct nearest nearest = {.typed = item};

	for (const struct backend *const *b = backends; *b; b++) {
		nearest_offer(&nearest, (*b)->name);
		if (!strncmp(item, (*b)->name, strlen((*b)->name)) &&
		    strchr(":", item[strlen((*b)->name)]))
			die_usage("-d '%s': one backend at a time", item);
	}
	die_usage("-d '%s': neither a device such as 03:00.0, eth0 or "
	          "8086:1533 nor a backend%s ('pcb-collect list' shows both)",
	          item, nearest_hint(&nearest));
}

static int
add_matches(struct device_names *names, const struct pci_tree *tree,
            const char *item)
{
	struct pci_matches matches = {0};
	const char *why = tree ? pci_match(tree, item, &matches)
	                       : "no PCI devices can be listed here";

	if (why && !may_be_device(item))
		refuse(item);
	if (why)
		warn("-d %s: %s ('pcb-collect list' shows the devices here)",
		     item, why);
	for (size_t i = 0; i < matches.n; i++)
		add(names, matches.item[i]->bdf);
	free(matches.item);
	return why ? STATUS_ABSENT : STATUS_OK;
}

int
device_names_find(struct device_names *found, const char *list)
{
	struct pci_tree *tree = NULL;
	char **item = list_split(list);
	int status = STATUS_OK;

	*found = (struct device_names){0};
	for (size_t i = 0; item[i] && status == STATUS_OK; i++) {
		char bdf[BDF_MAX];

		if (parse_bdf(item[i], bdf)) {
			add(found, bdf);
			continue;
		}
		if (!tree)
			tree = pci_tree_read(root_path("/sys/bus/pci"));
		status = add_matches(found, tree, item[i]);
	}
	if (tree)
		pci_tree_free(tree);
	free(item);
	return status;
}

void
device_names_free(struct device_names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->bdf[i]);
	free(names->bdf);
	*names = (struct device_names){0};
}

char *
device_names_join(const struct device_names *names)
{
	char *text = NULL;

	for (size_t i = 0; i < names->n; i++)
		xappend(&text, ",", "%s", names->bdf[i]);
	return text ? text : xstrdup("");
}
