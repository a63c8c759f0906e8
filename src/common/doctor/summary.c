/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/doctor/summary.h"

#include "common/doctor/doctor.h"

char *
doctor_summary(const struct pci_tree *tree, const bool *chosen,
               bool virtual_machine)
{
	struct doctor d = {.tree = tree, .virtual_machine = virtual_machine};
	char *all = NULL;

	for (size_t i = 0; i < tree->n; i++) {
		if (chosen[i])
			doctor_check_function(&d, &tree->function[i]);
	}
	for (size_t i = 0; i < d.found.n; i++) {
		const struct doctor_finding *f = &d.found.row[i];

		if (f->sure == SURE_CERTAIN)
			xappend(&all, "; ", "%s %s: %s", f->check, f->device,
			        f->what);
	}
	doctor_findings_free(&d.found);
	return all;
}
