/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/doctor/cost.h"

#include "common/pci/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct pci_tree *
doctor_copy(const struct pci_tree *tree)
{
	struct pci_tree *copy = xcalloc(1, sizeof *copy);

	copy->n = tree->n;
	copy->function = xreallocarray(NULL, tree->n, sizeof *copy->function);
	memcpy(copy->function, tree->function,
	       tree->n * sizeof *copy->function);
	return copy;
}

void
doctor_copy_free(struct pci_tree *copy)
{
	free(copy->function);
	free(copy);
}

struct pci_function *
doctor_copied(const struct pci_tree *copy, const char *bdf)
{
	const struct pci_function *f = pci_find(copy, bdf);

	return f ? &copy->function[f - copy->function] : NULL;
}

double
doctor_gbit_s(const struct pci_tree *tree, const struct pci_function *f,
              const char *bench, uint64_t size, uint64_t inflight)
{
	const struct transfer t = {.size = size};
	struct path path = {0};
	struct link_config config;
	double gbit_s = NAN;

	if (path_find(&path, tree, f))
		return NAN;
	config = path_link_config(&path);
	config.accounting = ACCOUNTING_TRAFFIC;
	/* A bridge forwards requests of any size. */
	if (f->pcie.port != PORT_ENDPOINT && config.link.mrrs < 512)
		config.link.mrrs = config.back.mrrs = 512;
	if (inflight)
		config.bounds = (struct bounds){.inflight = inflight,
		                                .rtt_ps = COST_RTT_PS};
	if (!why_no_model(&config.link))
		gbit_s = expect(&config, find_work(bench), &t).gbit_s;
	path_free(&path);
	return gbit_s;
}
