/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the preamble says about the targets and the paths to them. */
#ifndef PCB_COLLECT_PIO_DESCRIBE_TARGETS_H
#define PCB_COLLECT_PIO_DESCRIBE_TARGETS_H

#include "collect/pio/targets.h"

/*
 * Records what pci_describe_paths does; and "kernel_access", by what means the
 * kernel reads config space for sysfs, where all are read so and it tells.
 */
void pio_describe_targets(struct preamble *pre, const struct targets *targets);

#endif
