/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The disks of a controller, and who uses them. */
#ifndef PCB_COLLECT_VFIO_DISKS_IN_USE_H
#define PCB_COLLECT_VFIO_DISKS_IN_USE_H

#include "collect/host/restore.h"

#include <stddef.h>

/* Disks that are open with O_EXCL. Zero-initialise. */
struct disk_claims {
	int *fd;
	size_t n;
};

/*
 * Why the disks that the kernel has on a function must stay where they are,
 * with what would change that: mounted, swap, part of another device, behind a
 * loop device, exported, open in a thread of a process or registered with its
 * io_uring, as the controller itself may be, or perhaps registered with one
 * whose files the kernel does not show, or not to be opened; or the function
 * itself, driven by a process through uio. Text to free; NULL if none
 * is in use; dies if short. Until disks_release, which is called in any case,
 * nobody can mount them or add them to another device. Needs root: other users
 * see fewer uses.
 */
char *disks_in_use(const char *sysfs, const char *bdf,
                   struct disk_claims *claims);

/*
 * Plans that what the block layer lets be set of these disks, which their
 * driver makes anew, is then as it is now.
 */
void disks_keep_settings(const char *sysfs, const char *bdf,
                         struct changes *changes);

/* Closes them, after the disks are gone. */
void disks_release(struct disk_claims *claims);

#endif
