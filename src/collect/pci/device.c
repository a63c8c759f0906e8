/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds, lists and describes PCI functions. */
#include "collect/pci/device.h"

#include "common/base/util.h"
#include "common/doctor/doctor.h"
#include "common/sys/sysfs.h"

const struct pci_tree *
probe_tree(void)
{
	static struct pci_tree *tree;

	if (!tree)
		tree = pci_tree_read(root_path("/sys/bus/pci"));
	return tree;
}

struct pci_tree *
function_tree(struct session *s)
{
	const char *sysfs = root_path("/sys/bus/pci");
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

const struct pci_function *
function_named(struct session *s, const char *backend, struct pci_tree **tree)
{
	const char *device = s->request->device;
	char bdf[BDF_MAX];

	if (!device || !parse_bdf(device, bdf)) {
		fail(s, STATUS_TROUBLE,
		     "-d '%s%s%s': name the device, as in %s:03:00.0", backend,
		     device ? ":" : "", device ? device : "", backend);
		return NULL;
	}
	*tree = function_tree(s);
	return *tree ? function_find(s, *tree, bdf) : NULL;
}

void
pci_identify(struct series *series, const char *kind,
             const struct pci_function *f)
{
	char link[LINK_TEXT_MAX];

	link_format(&f->link, link);
	series_identify(series, kind, f->bdf, link);
	series_set(series, ID_PARENT, "%s", f->up ? f->up->bdf : "");
}

struct finding *
function_found(struct findings *list, const char *backend,
               const struct pci_function *f)
{
	struct finding *found = findings_add(list, backend);
	char link[LINK_TEXT_MAX];

	link_format(&f->link, link);
	text_set(&found->device, "%s", f->bdf);
	text_set(&found->parent, "%s", f->up ? f->up->bdf : "");
	text_set(&found->link, "%s", link);
	text_set(&found->driver, "%s", f->driver);
	found->vendor_id = f->vendor_id;
	found->device_id = f->device_id;
	if (f->node >= 0)
		text_set(&found->node, "%d", f->node);
	return found;
}

/* Paths ------------------------------------------------------------------- */

enum hop_line {
	HOP_NAME,
	HOP_ASPM,
	HOP_WAKE,
	HOP_DRIVER,
	HOP_RUNTIME_PM,
	NHOP_LINES
};

/* "L1:64,L1.2:210" for the link above a device; NULL if it may not sleep. */
static char *
wake_text(const struct pci_function *f)
{
	unsigned l1 = f->first_bus ? 0 : doctor_l1_us(f);
	unsigned l1_2 = f->first_bus ? 0 : doctor_l1_2_us(f);
	char *text = NULL;

	if (l1)
		xappend(&text, ",", "L1:%u", l1);
	if (l1_2)
		xappend(&text, ",", "L1.2:%u", l1_2);
	return text;
}

/* What the line says of a function; NULL or "": nothing. Free it. */
static char *
hop_text(enum hop_line line, const struct pci_function *f)
{
	char *name;

	if (line == HOP_ASPM)
		return xstrdup(f->pcie.aspm);
	if (line == HOP_WAKE)
		return wake_text(f);
	if (line == HOP_DRIVER)
		return xstrdup(f->driver);
	if (line == HOP_RUNTIME_PM)
		return read_first_line("%s/power/control", f->path);
	name = pci_name(f->vendor_id, f->device_id);
	for (char *p = name; (p = strchr(p, ';')); p++)
		*p = ',';
	return name;
}

/* Lines of the preamble: "BDF=TEXT" for every function with a text. */
static void
describe_hops(struct preamble *pre, const struct pci_tree *tree,
              const bool *chosen)
{
	static const char *const keys[NHOP_LINES] = {[HOP_NAME] = DEVICE_NAMES,
	                                             [HOP_ASPM] = "aspm",
	                                             [HOP_WAKE] = "wake_us",
	                                             [HOP_DRIVER] = "driver",
	                                             [HOP_RUNTIME_PM] =
	                                                 "runtime_pm"};

	for (enum hop_line line = 0; line < NHOP_LINES; line++) {
		char *all = NULL;

		for (size_t i = 0; i < tree->n; i++) {
			const struct pci_function *f = &tree->function[i];
			char *text = chosen[i] ? hop_text(line, f) : NULL;

			if (text && *text)
				xappend(&all, line == HOP_NAME ? "; " : " ",
				        "%s=%s", f->bdf, text);
			free(text);
		}
		if (all)
			preamble_set(pre, keys[line], "%s", all);
		free(all);
	}
}

void
pci_describe_paths(struct preamble *pre, const struct pci_tree *tree,
                   const struct pci_function *const function[], size_t n)
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

		for (size_t k = 0; same && k < n && !chosen[i]; k++)
			chosen[i] = pci_is_below(function[k], same);
	}
	describe_hops(pre, now, chosen);
	findings = doctor_summary(now, chosen, is_virtual);
	if (findings)
		preamble_set(pre, "doctor", "%s", findings);
	free(findings);
	free(chosen);
	pci_tree_free(now);
}
