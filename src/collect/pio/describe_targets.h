/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Preamble lines about the targets and the paths to them. */
#ifndef PCB_COLLECT_PIO_DESCRIBE_TARGETS_H
#define PCB_COLLECT_PIO_DESCRIBE_TARGETS_H

#include "collect/pio/targets.h"

/*
 * Records what pci_describe_paths does; if all registers are read through
 * sysfs, also "kernel_access", how the kernel reads config space.
 */
void pio_describe_targets(struct preamble *pre, const struct targets *targets);

#endif
