/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Links that only nvidia-smi, amd-smi or the kernel's log tells of. */
#ifndef PCB_COMMON_MACHINE_TOLD_H
#define PCB_COMMON_MACHINE_TOLD_H

#include "common/pci/tree.h"

/* A link of which neither registers nor /sys tell. */
struct told {
	struct link link; /* while data moves */
	unsigned now;     /* generation of a link that sleeps; or 0 */
	const char *gpu;  /* who made it, if nvidia-smi or such shows it */
	const char *by;   /* who tells it, in words */
};

/* What nvidia-smi, amd-smi, else the kernel's log, tells; false, and zero:
 * nothing. */
bool machine_told(const struct pci_tree *tree, const struct pci_function *f,
                  struct told *told);

#endif
