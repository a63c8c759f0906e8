/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The driver of a PCI function: finds it, and binds another one. */
#ifndef PCB_COLLECT_HOST_DRIVER_BIND_H
#define PCB_COLLECT_HOST_DRIVER_BIND_H

#include <stdbool.h>

/*
 * All take the function's directory, such as /sys/bus/pci/devices/0000:03:00.0.
 * The driver "" means none.
 */

/* The contents of driver_override, "" if empty; NULL with errno. Free it. */
char *driver_get_override(const char *directory);

/* The name of the bound driver. Free it. */
char *driver_name(const char *directory);

/*
 * Unbinds the function unless it has that driver, writes driver_override and
 * binds it. Waits while a program has the function open through VFIO. False
 * with errno; the function may then have no driver.
 */
bool driver_bind(const char *directory, const char *driver,
                 const char *override);

#endif
