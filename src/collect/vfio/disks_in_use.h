/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The disks of a controller, and who uses them. */
#ifndef PCB_COLLECT_VFIO_DISKS_IN_USE_H
#define PCB_COLLECT_VFIO_DISKS_IN_USE_H

/*
 * Why the disks that the kernel has on a function must stay where they are,
 * with what would change that: mounted, swap, part of another device, behind a
 * loop device, exported, open in a process, as the controller itself may be,
 * or not to be opened; or the function itself, driven by a process through uio.
 * Text to free; NULL if none is in use; dies if short. For root: others are
 * told of less.
 */
char *disks_in_use(const char *sysfs, const char *bdf);

#endif
