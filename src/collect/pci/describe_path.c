#include "collect/pci/describe_path.h"

#include "common/sys/sysfs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where ways lead to: the targets, or one function. */
struct ends {
	const struct pci_tree *tree;
	const struct targets *targets; /* or NULL */
	const struct pci_function *function;
};

static bool
is_on_way(const struct ends *ends, const struct pci_function *f)
{
	return ends->targets ? targets_are_below(ends->targets, f)
	                     : pci_is_below(ends->tree, ends->function, f);
}

/*
 * Records "BDF=TEXT" words under `key`, of every hop from the root to an end,
 * as the tree says now; "" is left out. text() gives memory to free.
 */
static void
describe_hops(struct preamble *pre, const struct ends *ends,
              const struct pci_tree *tree, const char *key,
              char *(*text)(const struct pci_tree *tree,
                            const struct pci_function *f))
{
	char *all = NULL;

	for (size_t i = 0; i < tree->n; i++) {
		const struct pci_function *f = &tree->function[i];
		const struct pci_function *same = pci_find(ends->tree, f->bdf);
		char *one;

		if (!same || !is_on_way(ends, same))
			continue;
		one = text(tree, f);
		if (one && *one)
			xappend(&all, " ", "%s=%s", f->bdf, one);
		free(one);
	}
	if (all)
		preamble_set(pre, key, "%s", all);
	free(all);
}

static char *
aspm_of(const struct pci_tree *tree, const struct pci_function *f)
{
	(void)tree;
	return xstrdup(f->express.aspm);
}

static char *
driver_of(const struct pci_tree *tree, const struct pci_function *f)
{
	(void)tree;
	return xstrdup(f->driver);
}

static char *
runtime_pm_of(const struct pci_tree *tree, const struct pci_function *f)
{
	return read_first_line("%s/devices/%s/power/control", tree->sysfs,
	                       f->bdf);
}

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
 * How the kernel gets at config space when it is asked by sysfs: on x86 by
 * ports, but not beyond 256 bytes, nor in other domains than 0; else in
 * memory. linux/arch/x86/pci/common.c, raw_pci_read.
 */
static void
describe_kernel_access(struct preamble *pre, const struct targets *targets)
{
	bool has_ports = file_has("/proc/ioports", "PCI conf1");
	bool has_ecam = file_has("/proc/iomem", "PCI ECAM") ||
	                file_has("/proc/iomem", "PCI MMCONFIG");
	size_t by_ports = 0;

	for (size_t i = 0; i < targets->n; i++) {
		const struct reader *r = &targets->item[i].reader;

		if (strcmp(r->method->name, "sysfs") != 0)
			return;
		by_ports += has_ports && r->place.offset < 0x100 &&
		            !bdf_split(r->function->bdf).domain;
	}
	if (by_ports == targets->n)
		preamble_set(pre, "kernel_access", "conf1");
	else if (has_ecam)
		preamble_set(pre, "kernel_access", "%s",
		             by_ports ? "conf1 ecam" : "ecam");
}

/* As it is while we measure: what we have changed is read again. */
static void
describe_path(struct preamble *pre, const struct ends *ends)
{
	struct pci_tree *now = pci_tree_read(ends->tree->sysfs);

	if (!now)
		return;
	describe_hops(pre, ends, now, "aspm", aspm_of);
	describe_hops(pre, ends, now, "driver", driver_of);
	describe_hops(pre, ends, now, "runtime_pm", runtime_pm_of);
	pci_tree_free(now);
}

void
pci_describe_path(struct preamble *pre, const struct pci_tree *tree,
                  const struct pci_function *function)
{
	describe_path(pre, &(struct ends){.tree = tree, .function = function});
}

void
pci_describe_targets(struct preamble *pre, const struct targets *targets)
{
	if (is_sysfs(targets->tree->sysfs))
		describe_kernel_access(pre, targets);
	describe_path(
	    pre, &(struct ends){.tree = targets->tree, .targets = targets});
}
