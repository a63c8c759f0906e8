/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which driver has a PCI function, and giving it to another one. */
#ifndef PCB_COLLECT_HOST_DRIVER_BIND_H
#define PCB_COLLECT_HOST_DRIVER_BIND_H

#include <stdbool.h>

/*
 * All take the function's directory, such as
 * /sys/bus/pci/devices/0000:03:00.0. A driver "" is none.
 */

/* What driver_override holds, "" if nothing; NULL with errno. Free it. */
char *driver_get_override(const char *directory);

/* The driver's name. Free it. */
char *driver_name(const char *directory);

/*
 * Takes the function from its driver, if it is not that one, writes
 * driver_override and has it bound. Where a program has the function open by
 * VFIO, this waits until that is over. False with errno; then the function
 * may be without a driver.
 */
bool driver_bind(const char *directory, const char *driver,
                 const char *override);

#endif
