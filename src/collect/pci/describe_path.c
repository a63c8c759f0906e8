/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Preamble lines about the path to a function. */
#include "collect/pci/describe_path.h"

#include "common/base/util.h"
#include "common/doctor/summary.h"
#include "common/sys/sysfs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct paths {
	const struct pci_tree *tree;
	pci_path_has *has;
	const void *arg;
};

struct path_end {
	const struct pci_tree *tree;
	const struct pci_function *function;
};

/*
 * Records "BDF=TEXT" under `key` for every function on the paths, from the
 * tree `now`, with the separator between two; leaves out "". text() returns
 * memory to free.
 */
static void
describe_hops(struct preamble *pre, const struct paths *paths,
              const struct pci_tree *now, const char *key,
              const char *separator,
              char *(*text)(const struct pci_tree *tree,
                            const struct pci_function *f))
{
	char *all = NULL;

	for (size_t i = 0; i < now->n; i++) {
		const struct pci_function *f = &now->function[i];
		const struct pci_function *same = pci_find(paths->tree, f->bdf);
		char *one;

		if (!same || !paths->has(paths->arg, same))
			continue;
		one = text(now, f);
		if (one && *one)
			xappend(&all, separator, "%s=%s", f->bdf, one);
		free(one);
	}
	if (all)
		preamble_set(pre, key, "%s", all);
	free(all);
}

static char *
name_of(const struct pci_tree *tree, const struct pci_function *f)
{
	char *name = pci_name(f->vendor_id, f->device_id);

	(void)tree;
	for (char *p = name; (p = strchr(p, ';')); p++)
		*p = ',';
	return name;
}

static char *
aspm_of(const struct pci_tree *tree, const struct pci_function *f)
{
	(void)tree;
	return xstrdup(f->pcie.aspm);
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

/* Records certain findings of pcb-doctor(1). */
static void
describe_findings(struct preamble *pre, const struct paths *paths,
                  const struct pci_tree *now)
{
	const char *hypervisor = preamble_get(pre, "hypervisor");
	bool is_virtual = hypervisor && strcmp(hypervisor, "none") != 0;
	bool *chosen = xcalloc(now->n + 1, sizeof *chosen);
	char *text;

	for (size_t i = 0; i < now->n; i++) {
		const struct pci_function *same =
		    pci_find(paths->tree, now->function[i].bdf);

		chosen[i] = same && paths->has(paths->arg, same);
	}
	text = doctor_summary(now, chosen, is_virtual);
	if (text)
		preamble_set(pre, "doctor", "%s", text);
	free(text);
	free(chosen);
}

void
pci_describe_paths(struct preamble *pre, const struct pci_tree *tree,
                   pci_path_has *has, const void *arg)
{
	struct paths paths = {tree, has, arg};
	struct pci_tree *now = pci_tree_read(tree->sysfs);

	if (!now)
		return;
	describe_hops(pre, &paths, now, DEVICE_NAMES, "; ", name_of);
	describe_hops(pre, &paths, now, "aspm", " ", aspm_of);
	describe_hops(pre, &paths, now, "driver", " ", driver_of);
	describe_hops(pre, &paths, now, "runtime_pm", " ", runtime_pm_of);
	describe_findings(pre, &paths, now);
	pci_tree_free(now);
}

static bool
is_above(const void *arg, const struct pci_function *f)
{
	const struct path_end *end = arg;

	return pci_is_below(end->tree, end->function, f);
}

void
pci_describe_path(struct preamble *pre, const struct pci_tree *tree,
                  const struct pci_function *function)
{
	struct path_end end = {tree, function};

	pci_describe_paths(pre, tree, is_above, &end);
}
