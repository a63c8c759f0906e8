/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The disks of a controller, and their users. */
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
 * Why the disks of a function must keep their driver, and the remedy: mounted,
 * swap, part of another device, behind a loop device, exported, open in a
 * process or registered with its io_uring (also the controller itself), perhaps
 * registered with an io_uring whose files the kernel hides, or impossible to
 * open; or a process drives the function through uio. Free it; NULL if no disk
 * is in use; dies if memory or descriptors run out. Until disks_release, which
 * the caller calls in any case, nobody can mount them or add them to another
 * device. Needs root: other users see fewer uses.
 */
char *disks_in_use(const char *sysfs, const char *bdf,
                   struct disk_claims *claims);

/*
 * Plans to restore the block layer's settings of these disks, which their
 * driver creates anew.
 */
void disks_keep_settings(const char *sysfs, const char *bdf,
                         struct changes *changes);

/* Closes the disks, after they are gone. */
void disks_release(struct disk_claims *claims);

#endif
