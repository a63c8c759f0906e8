/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether VFIO can have a function, and whether its disks are in use; unbinds
 * it from its driver.
 */
#ifndef PCB_COLLECT_VFIO_CLAIM_H
#define PCB_COLLECT_VFIO_CLAIM_H

#include "collect/core/backend.h"
#include "collect/host/restore.h"
#include "common/pci/tree.h"

/* Disks that are open with O_EXCL. Zero-initialise. */
struct disk_claims {
	int *fd;
	size_t n;
};

/*
 * Why the disks of a function, by its path in sysfs, must keep their driver,
 * and the remedy: a disk or the controller may be in use, or the function by
 * uio. Free it; NULL if they are not; dies if memory or descriptors run out.
 * Until disks_release, which the caller calls in any case, nobody can mount the
 * disks or add them to another device.
 */
char *disks_in_use(const char *function, struct disk_claims *claims);

/* Closes the disks, after they are gone. */
void disks_release(struct disk_claims *claims);

/*
 * Why VFIO cannot use a function now, ": ", and the commands that would help
 * (free it), or NULL. With `taking`, the function's own driver is no obstacle.
 */
char *claim_obstacle(const struct pci_tree *tree, const struct pci_function *f,
                     bool taking);

/*
 * Reads -O unbind: whether a device may be unbound from its driver. False after
 * fail() unless it is yes or no.
 */
bool claim_option(struct session *s, const struct backend_option *options,
                  bool *allowed);

/*
 * Binds a function to vfio-pci until changes_undo; if `allowed` is false only
 * checks that it is bound. False after fail(), also if the function's disks are
 * in use.
 */
bool claim_device(struct session *s, const struct pci_tree *tree,
                  const struct pci_function *f, bool allowed,
                  struct changes *changes);

#endif
