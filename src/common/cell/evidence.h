/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a device, its machine and its sources say of a bandwidth's causes. */
#ifndef PCB_COMMON_CELL_EVIDENCE_H
#define PCB_COMMON_CELL_EVIDENCE_H

#include "common/cause/cause.h"
#include "common/machine/machine.h"
#include "common/pci/path.h"

/* Constants, but for the source: an observation of evidence.csv, who says so.
 */
struct evidence {
	const char *name, *value, *source;
};

/* A device whose bandwidth was measured, and what is known of its machine. */
#define EVIDENCE_MOST 12
struct subject {
	const struct pci_tree *tree;
	const struct machine *machine; /* of it; only for traffic of peers */
	const struct pci_function *device;
	const struct path *path;
	enum traffic traffic;
	const char *from; /* where registers and files are from */
	bool here;        /* they are this machine's */
	bool guest;       /* doctor_is_guest, or by other means */
	/* Set by evidence_find. */
	struct evidence found[EVIDENCE_MOST];
	size_t n;
};

/*
 * Finds what the sources show of the device, its link apart. What they do not
 * show is left out.
 */
void evidence_find(struct subject *s);

#endif
