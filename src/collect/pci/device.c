/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds, lists and describes PCI functions. */
#include "collect/pci/device.h"

#include "common/base/util.h"
#include "common/doctor/doctor.h"
#include "common/sys/sysfs.h"

#include <errno.h>
#include <stdlib.h>
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

/* Paths ------------------------------------------------------------------- */

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

/* Lines of the preamble: "BDF=TEXT" for every function with a text. */
static const struct {
	const char *key, *separator;
	/* Returns memory to free; NULL or "": none. */
	char *(*text)(const struct pci_tree *tree,
	              const struct pci_function *f);
} hop_lines[] = {
    {DEVICE_NAMES, "; ", name_of},
    {"aspm", " ", aspm_of},
    {"driver", " ", driver_of},
    {"runtime_pm", " ", runtime_pm_of},
};

static void
describe_hops(struct preamble *pre, const struct pci_tree *tree,
              const bool *chosen)
{
	for (size_t k = 0; k < ARRAY_LEN(hop_lines); k++) {
		char *all = NULL;

		for (size_t i = 0; i < tree->n; i++) {
			const struct pci_function *f = &tree->function[i];
			char *text =
			    chosen[i] ? hop_lines[k].text(tree, f) : NULL;

			if (text && *text)
				xappend(&all, hop_lines[k].separator, "%s=%s",
				        f->bdf, text);
			free(text);
		}
		if (all)
			preamble_set(pre, hop_lines[k].key, "%s", all);
		free(all);
	}
}

void
pci_describe_paths(struct preamble *pre, const struct pci_tree *tree,
                   pci_path_has *has, const void *arg)
{
	struct pci_tree *now = pci_tree_read(tree->sysfs);
	const char *hypervisor = preamble_get(pre, "hypervisor");
	bool is_virtual = hypervisor && strcmp(hypervisor, "none") != 0;
	bool *chosen;
	char *findings;

	if (!now)
		return;
	chosen = xcalloc(now->n + 1, sizeof *chosen);
	for (size_t i = 0; i < now->n; i++) {
		const struct pci_function *same =
		    pci_find(tree, now->function[i].bdf);

		chosen[i] = same && has(arg, same);
	}
	describe_hops(pre, now, chosen);
	findings = doctor_summary(now, chosen, is_virtual);
	if (findings)
		preamble_set(pre, "doctor", "%s", findings);
	free(findings);
	free(chosen);
	pci_tree_free(now);
}

struct path_end {
	const struct pci_tree *tree;
	const struct pci_function *function;
};

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
