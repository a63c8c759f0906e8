/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What pcb-doctor examines, and its findings. */
#ifndef PCB_COMMON_DOCTOR_EXAMINED_H
#define PCB_COMMON_DOCTOR_EXAMINED_H

#include "common/doctor/finding.h"
#include "common/pci/tree.h"

/* State of an examination. */
struct doctor {
	const struct pci_tree *tree;
	bool virtual_machine; /* the hypervisor may have made up the links */
	double uptime_s;      /* of the machine; 0: unknown */
	struct doctor_findings found;
	size_t unseen;   /* functions with unreadable capabilities */
	size_t examined; /* all other functions */
	size_t links;    /* those with a trained link above */
};

#endif
