/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --hold turns power management of the path off. */
#include "collect/pio/pio.h"

#include "common/base/util.h"
#include "common/sys/sysfs.h"

#include <limits.h>
#include <pci/header.h>
#include <unistd.h>

static bool
refused(struct session *s, const char *option, const char *what)
{
	return fail(s, STATUS_ABSENT, "%s: %s: %s%s", option, what,
	            errno ? strerror(errno) : "the kernel does not accept it",
	            errno == EACCES || errno == EPERM ? " (root only)" : "");
}

/* Plans a text, if there is such a file; false after fail(). */
static bool
plan(struct session *s, struct changes *c, const char *option, const char *path,
     const char *wanted)
{
	return changes_add_text(c, path, wanted) || !errno || errno == ENOENT ||
	       refused(s, option, path);
}

/* Files for ASPM of the link above a function, if the kernel manages it. */
static const char *const aspm_files[] = {"l0s_aspm",   "l1_aspm",
                                         "l1_1_aspm",  "l1_2_aspm",
                                         "l1_1_pcipm", "l1_2_pcipm"};

/* Whether the kernel manages the link above the function or one below it. */
static bool
is_managed(const struct pci_tree *tree, const struct pci_function *f)
{
	glob_t files = {0};
	bool is;

	for (size_t i = 0; i < tree->n; i++) {
		const struct pci_function *end = &tree->function[i];

		if (end == f || end->up == f)
			find_files(&files, "%s/link/l[01]*", end->path);
	}
	is = files.gl_pathc;
	globfree(&files);
	return is;
}

/*
 * From the lower end of the path to the upper one, and back in reverse: an
 * upper port may save power only while the lower one may not, PCIe Base
 * Specification 5.4.1.4.
 */
static bool
plan_aspm(struct session *s, struct changes *c, const struct targets *targets,
          char **held)
{
	static const char option[] = "--hold aspm";
	const struct pci_tree *tree = targets->tree;
	bool seen = false;

	xappend(held, " ", "aspm");
	for (size_t i = tree->n; i--;) {
		const struct pci_function *f = &tree->function[i];
		size_t before = c->nchanged;
		char path[PATH_MAX];

		if (!targets_are_below(targets, f))
			continue;
		seen = seen || f->pcie.link_control;
		for (size_t k = 0; k < ARRAY_LEN(aspm_files); k++) {
			snprintf(path, sizeof path, "%s/link/%s", f->path,
			         aspm_files[k]);
			if (!plan(s, c, option, path, "0"))
				return false;
		}
		snprintf(path, sizeof path, "%s/config", f->path);
		if (f->pcie.link_control && !is_managed(tree, f) &&
		    !changes_add_bits(c, path, (off_t)f->pcie.link_control,
		                      PCI_EXP_LNKCTL_ASPM, 0) &&
		    errno)
			return refused(s, option, path);
		if (c->nchanged > before)
			xappend(held, " ", "%s", f->bdf);
	}
	return seen || fail(s, STATUS_ABSENT, "--hold aspm: %s",
	                    geteuid() ? "only root can see and set it"
	                              : "no PCI Express link on the path");
}

static bool
plan_power(struct session *s, struct changes *c, const struct targets *targets,
           char **held)
{
	const struct pci_tree *tree = targets->tree;
	bool seen = false;

	xappend(held, " ", "power");
	for (size_t i = 0; i < tree->n; i++) {
		const struct pci_function *f = &tree->function[i];
		size_t before = c->nchanged;
		char path[PATH_MAX];

		if (!targets_are_below(targets, f))
			continue;
		snprintf(path, sizeof path, "%s/power/control", f->path);
		if (!plan(s, c, "--hold power", path, "on"))
			return false;
		seen = seen || !access(path, F_OK);
		if (c->nchanged > before)
			xappend(held, " ", "%s", f->bdf);
	}
	return seen || fail(s, STATUS_ABSENT,
	                    "--hold power: no device on the path has a file "
	                    "power/control");
}

bool
quiesce(struct session *s, struct changes *c, const struct targets *targets)
{
	const char *holds = bench_option(s->request, "hold"), *path;
	char *aspm = NULL, *power = NULL;
	bool ok = !list_has(holds, "aspm") || plan_aspm(s, c, targets, &aspm);

	if (ok && list_has(holds, "power"))
		ok = plan_power(s, c, targets, &power);
	path = ok ? changes_make(c) : NULL;
	if (path)
		ok = refused(s, "--hold", path);
	if (aspm)
		xappend(&power, " ", "%s", aspm);
	if (ok && power)
		preamble_set(s->preamble, "held", "%s", power);
	free(aspm);
	free(power);
	return ok;
}
