/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What pcb-doctor examines, and what it has found. */
#ifndef PCB_COMMON_DOCTOR_EXAMINED_H
#define PCB_COMMON_DOCTOR_EXAMINED_H

#include "common/doctor/finding.h"
#include "common/pci/tree.h"

/* What is examined, and what came out. */
struct doctor {
	const struct pci_tree *tree;
	bool virtual_machine; /* links may be the hypervisor's invention */
	double uptime_s;      /* of the machine; 0: not known */
	struct doctor_findings found;
	size_t unseen;   /* functions whose capabilities could not be read */
	size_t examined; /* the others */
	size_t links;    /* of these, those with a trained link above them */
};

#endif
