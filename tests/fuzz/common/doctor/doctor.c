/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks on any dump or listing: findings are complete. */
#include "fuzz/dump.h"

#include "common/doctor/doctor.h"

#include <math.h>

static void
look_at_finding(const struct doctor_finding *f, const struct pci_tree *tree)
{
	must(*f->check && *f->what && f->cost && f->fix && f->risk);
	must(f->sure <= SURE_CERTAIN);
	must((f->sure == SURE_BY_DESIGN) == (*f->reason != '\0'));
	must(!*f->device || pci_find(tree, f->device) != NULL);
	must(isnan(f->now_gbit_s) == isnan(f->could_gbit_s));
	/* A finding's cost is never a gain. */
	must(isnan(f->now_gbit_s) ||
	     f->now_gbit_s <= f->could_gbit_s * (1 + 1e-9));
}

static void
look_at_tree(const struct pci_tree *tree)
{
	struct doctor d = {.tree = tree, .uptime_s = 1000};
	size_t certain = 0;

	doctor_find_alike(&d);
	for (size_t i = 0; i < tree->n; i++)
		doctor_check_function(&d, &tree->function[i]);
	doctor_end(&d);
	for (size_t i = 0; i < d.found.n; i++) {
		look_at_finding(&d.found.row[i], tree);
		certain += d.found.row[i].sure == SURE_CERTAIN;
	}
	must(certain == d.found.certain);
	doctor_findings_free(&d.found);
	free(d.alike);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct pci_tree *tree = read_dump(bytes, size);

	if (tree)
		look_at_tree(tree);
	pci_tree_free(tree);
	return 0;
}
