/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --hold turns power management of the path off. */
#include "collect/pio/pio.h"

#include "common/base/util.h"
#include "common/sys/sysfs.h"

#include <limits.h>
#include <pci/header.h>
#include <string.h>
#include <unistd.h>

static const char *const hold_names[NHOLDS] = {
    [HOLD_POWER] = "power",
    [HOLD_ASPM] = "aspm",
};

const char *
hold_parse(const char *text, unsigned *holds)
{
	char **item = list_split(text);
	const char *why = NULL;

	*holds = 0;
	for (size_t i = 0; !why && item[i]; i++) {
		size_t id = find_word(item[i], hold_names, NHOLDS);

		if (id == NHOLDS)
			why = "not aspm or power";
		else
			*holds |= 1u << id;
	}
	free(item);
	return why;
}

bool
hold_asked(const struct request *request, enum hold_id id)
{
	const char *text = bench_option(request, "hold");
	unsigned holds = 0;

	if (text)
		hold_parse(text, &holds);
	return holds & 1u << id;
}

static bool
refused(struct session *s, const char *option, const char *what)
{
	return fail(s, STATUS_ABSENT, "%s: %s: %s%s", option, what,
	            errno ? strerror(errno) : "the kernel does not accept it",
	            errno == EACCES || errno == EPERM ? " (root only)" : "");
}

/* Plans a text; false after fail(). Adds `who` to *list if it changes. */
static bool
plan(struct session *s, struct quiesce *h, const char *option, const char *path,
     const char *wanted, char **list, const char *who)
{
	if (changes_add_text(&h->changes, path, wanted))
		xappend(list, " ", "%s", who);
	else if (errno && errno != ENOENT)
		return refused(s, option, path);
	return true;
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

static bool
plan_link_files(struct session *s, struct quiesce *h,
                const struct pci_function *f)
{
	size_t before = h->changes.nchanged;
	char *ignored = NULL;
	bool ok = true;

	for (size_t i = 0; ok && i < ARRAY_LEN(aspm_files); i++) {
		char path[PATH_MAX];

		snprintf(path, sizeof path, "%s/link/%s", f->path,
		         aspm_files[i]);
		ok = plan(s, h, "--hold aspm", path, "0", &ignored, "");
	}
	if (h->changes.nchanged > before)
		xappend(&h->aspm, " ", "%s", f->bdf);
	free(ignored);
	return ok;
}

/*
 * From the lower end of the path to the upper one, and back in reverse: an
 * upper port may save power only while the lower one may not, PCIe Base
 * Specification 5.4.1.4.
 */
static bool
plan_aspm(struct session *s, struct quiesce *h, const struct targets *targets)
{
	const struct pci_tree *tree = targets->tree;
	bool seen = false;

	for (size_t i = tree->n; i--;) {
		const struct pci_function *f = &tree->function[i];
		char path[PATH_MAX];

		if (!targets_are_below(targets, f))
			continue;
		seen = seen || f->pcie.link_control;
		if (!plan_link_files(s, h, f))
			return false;
		if (!f->pcie.link_control || is_managed(tree, f))
			continue;
		snprintf(path, sizeof path, "%s/config", f->path);
		if (changes_add_bits(&h->changes, path,
		                     (off_t)f->pcie.link_control,
		                     PCI_EXP_LNKCTL_ASPM, 0))
			xappend(&h->aspm, " ", "%s", f->bdf);
		else if (errno)
			return refused(s, "--hold aspm", path);
	}
	return seen || fail(s, STATUS_ABSENT, "--hold aspm: %s",
	                    geteuid() ? "only root can see and set it"
	                              : "no PCI Express link on the path");
}

static bool
plan_power(struct session *s, struct quiesce *h, const struct targets *targets)
{
	const struct pci_tree *tree = targets->tree;
	bool seen = false;

	for (size_t i = 0; i < tree->n; i++) {
		const struct pci_function *f = &tree->function[i];
		char path[PATH_MAX];

		if (!targets_are_below(targets, f))
			continue;
		snprintf(path, sizeof path, "%s/power/control", f->path);
		if (!plan(s, h, "--hold power", path, "on", &h->power, f->bdf))
			return false;
		seen = seen || !access(path, F_OK);
	}
	return seen || fail(s, STATUS_ABSENT,
	                    "--hold power: no device on the path has a file "
	                    "power/control");
}

static void
record(struct session *s, const struct quiesce *h)
{
	char *text = NULL;

	for (int i = 0; i < NHOLDS; i++) {
		if (!hold_asked(s->request, (enum hold_id)i))
			continue;
		xappend(&text, " ", "%s", hold_names[i]);
		if (i == HOLD_POWER && h->power)
			xappend(&text, " ", "%s", h->power);
		if (i == HOLD_ASPM && h->aspm)
			xappend(&text, " ", "%s", h->aspm);
	}
	if (text)
		preamble_set(s->preamble, "held", "%s", text);
	free(text);
}

bool
quiesce_begin(struct session *s, struct quiesce *h,
              const struct targets *targets)
{
	const char *path;

	if (hold_asked(s->request, HOLD_ASPM) && !plan_aspm(s, h, targets))
		return false;
	if (hold_asked(s->request, HOLD_POWER) && !plan_power(s, h, targets))
		return false;
	path = changes_make(&h->changes);
	if (path)
		return refused(s, "--hold", path);
	record(s, h);
	return true;
}

void
quiesce_end(struct quiesce *h)
{
	changes_undo(&h->changes);
	free(h->aspm);
	free(h->power);
	*h = (struct quiesce){0};
}
