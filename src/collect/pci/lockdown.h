/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernel lockdown. */
#ifndef PCB_COLLECT_PCI_LOCKDOWN_H
#define PCB_COLLECT_PCI_LOCKDOWN_H

#include <stdbool.h>

/* Whether the kernel reports that it is locked down. */
bool kernel_is_locked_down(void);

#endif
