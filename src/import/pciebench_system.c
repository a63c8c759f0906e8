/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Splits the name of a directory of pcie-bench results, and reads its link. */
#include "import/pciebench_system.h"

#include "common/base/util.h"
#include "common/pci/tree.h"

#include <ctype.h>
#include <pci/pci.h>
#include <unistd.h>

/* Cuts off an ending and the - or _ before it. */
static bool
cut(char *name, const char *ending)
{
	size_t n = strlen(name);
	size_t m = strlen(ending);

	if (n < m + 2 || strcmp(name + n - m, ending) != 0 ||
	    !strchr("-_", name[n - m - 1]))
		return false;
	name[n - m - 1] = '\0';
	return true;
}

/* The host in a name of the published form, or NULL. */
static const char *
after_card(const char *name)
{
	const char *clock = name + strcspn(name, "-_");
	const char *p = clock + (*clock == '-');

	p += strspn(p, "0123456789.");
	if (clock == name || *clock != '-' || strncmp(p, "GHz_", 4) != 0)
		return NULL;
	return p[4] ? p + 4 : NULL;
}

bool
parse_system(const char *name, struct system *system)
{
	const char *host = after_card(name);
	char topology[] = "s0-s?-s?";

	*system = (struct system){.iommu = ""};
	system->host = xstrdup(host ? host : "");
	system->device = xstrdup(host ? name : "");
	if (!host)
		return false;
	*strchr(system->device, '-') = '\0';
	if (cut(system->host, "iommu-nosp"))
		system->iommu = "on-nosp";
	else if (cut(system->host, "iommu"))
		system->iommu = "on";
	else
		system->iommu = "off";
	/* "s0-sN-sN": the digit N. */
	topology[4] = topology[7] = system->host[strlen(system->host) - 1];
	if (isdigit((unsigned char)topology[4]) && cut(system->host, topology))
		system->node[0] = topology[4];
	return true;
}

/* The link --------------------------------------------------------------- */

/* How the names of cards start, and what a listing calls their vendor. */
#define CARD   "nfp"
#define VENDOR ": Netronome "

/* Writes the function's link; "" if a part is missing. */
static void
format_link(const struct pci_function *f, char text[LINK_TEXT_MAX])
{
	const uint32_t *seen = f->registers.seen;
	const uint32_t sizes = PCI_EXP_DEVCTL_PAYLOAD | PCI_EXP_DEVCTL_READRQ;
	bool ecrc = f->pcie.ecrc == TRISTATE_YES;
	struct link link = f->link;
	const struct pci_function *top = f;

	*text = '\0';
	while (top->up)
		top = top->up;
	link.ecrc = ecrc && top != f && top->pcie.ecrc == TRISTATE_YES;
	link.ecrc_up = ecrc && !link.ecrc;
	link.flit = link.gen > 5; /* always in flit mode */
	if ((seen[REG_DEVCTL] & sizes) == sizes &&
	    (seen[REG_LNKCTL] & PCI_EXP_LNKCTL_RCB) && !link_check(&link))
		link_format(&link, text);
}

/* False, and "", if functions of the card have different links. */
static bool
find_link(const struct pci_tree *tree, const char *device,
          char text[LINK_TEXT_MAX])
{
	const char *digits = device + strcspn(device, "0123456789");
	const char *model = "";
	size_t n = 0;

	for (size_t i = 0; i < tree->n; i++) {
		const char *name = strstr(tree->function[i].title, VENDOR);

		if (name && strstr(name, *digits ? digits : device))
			model = *digits ? digits : device;
	}
	*text = '\0';
	for (size_t i = 0; i < tree->n; i++) {
		const char *name = strstr(tree->function[i].title, VENDOR);
		char one[LINK_TEXT_MAX];

		if (!name || !strstr(name, model))
			continue;
		format_link(&tree->function[i], one);
		if (n++ && strcmp(one, text) != 0) {
			*text = '\0';
			return false;
		}
		memcpy(text, one, sizeof one);
	}
	return true;
}

/*
 * Whether sys-dma-addrs.txt, with the addresses of the buffer's parts, exists
 * and has none from 4 GiB on: requests then have headers of 3 DW (PCIe Base
 * Specification 2.2.4.1).
 */
static bool
dma_below_4g(const char *directory)
{
	char *file = xasprintf("%s/sys-dma-addrs.txt", directory);
	FILE *f = fopen(file, "re");
	char line[64];
	bool below = false, above = false;

	free(file);
	while (f && fgets(line, sizeof line, f)) {
		above |= strtoull(line, NULL, 16) >= UINT64_C(1) << 32;
		below = !above;
	}
	if (f)
		fclose(f);
	return below;
}

void
link_of_listing(const char *directory, const char *device,
                char text[LINK_TEXT_MAX])
{
	struct pci_tree *tree;
	struct link link;
	char *file;

	*text = '\0';
	if (!directory || strncmp(device, CARD, strlen(CARD)) != 0)
		return;
	file = xasprintf("%s/sys-lspci.txt", directory);
	if (!access(file, F_OK)) {
		tree = pci_tree_read_dump(file, 0);
		if (!find_link(tree, device, text))
			warn("%s: functions of the card's vendor have "
			     "different links: the column link is left empty",
			     file);
		pci_tree_free(tree);
	}
	free(file);
	if (*text && dma_below_4g(directory)) {
		link_parse(text, &link);
		link.addr32 = true;
		link_format(&link, text);
	}
}
