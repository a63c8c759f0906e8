/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Preamble lines about the registers read. */
#include "collect/pio/describe_targets.h"

#include "collect/pci/device.h"
#include "common/sys/root.h"
#include "common/sys/sysfs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
file_has(const char *path, const char *word)
{
	FILE *f = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	bool found = false;

	while (f && !found && getline(&line, &size, f) > 0)
		found = strstr(line, word);
	if (f)
		fclose(f);
	free(line);
	return found;
}

/*
 * How the kernel reads config space for sysfs: on x86 through I/O ports, but
 * above 256 bytes and outside of domain 0 through memory.
 * linux/arch/x86/pci/common.c, raw_pci_read.
 */
static void
describe_kernel_access(struct preamble *pre, const struct targets *targets)
{
	bool has_ports = file_has(root_path("/proc/ioports"), "PCI conf1");
	bool has_ecam = file_has(root_path("/proc/iomem"), "PCI ECAM") ||
	                file_has(root_path("/proc/iomem"), "PCI MMCONFIG");
	size_t by_ports = 0;

	for (size_t i = 0; i < targets->n; i++) {
		const struct reader *r = &targets->item[i].reader;

		if (strcmp(r->method->name, "sysfs") != 0)
			return;
		by_ports += has_ports && r->addr.offset < 0x100 &&
		            !bdf_split(r->function->bdf).domain;
	}
	if (by_ports == targets->n)
		preamble_set(pre, "kernel_access", "conf1");
	else if (has_ecam)
		preamble_set(pre, "kernel_access", "%s",
		             by_ports ? "conf1 ecam" : "ecam");
}

static bool
leads_to_targets(const void *arg, const struct pci_function *f)
{
	return targets_are_below(arg, f);
}

void
pio_describe_targets(struct preamble *pre, const struct targets *targets)
{
	if (is_sysfs(targets->tree->sysfs))
		describe_kernel_access(pre, targets);
	pci_describe_paths(pre, targets->tree, leads_to_targets, targets);
}
