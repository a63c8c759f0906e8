/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether VFIO can have a function, and taking it from its driver. */
#ifndef PCB_COLLECT_VFIO_CLAIM_H
#define PCB_COLLECT_VFIO_CLAIM_H

#include "collect/core/backend.h"
#include "collect/host/restore.h"
#include "common/pci/tree.h"

/*
 * Why a function cannot be used by VFIO as it is, ": ", and the commands that
 * would help: text to free, or NULL. With `taking`, its own driver is no
 * reason.
 */
char *claim_obstacle(const struct pci_tree *tree, const struct pci_function *f,
                     bool taking);

/*
 * Reads -O unbind from a table of options: whether a device may be taken from
 * its driver. False after fail() if that is not yes or no.
 */
bool claim_option(struct session *s, const struct backend_option *options,
                  bool *allowed);

/*
 * Binds a function to vfio-pci, if it is not, until changes_undo; with
 * `allowed` false only looks whether it is. False after fail(), also if the
 * function's disks are in use.
 */
bool claim_device(struct session *s, const struct pci_tree *tree,
                  const struct pci_function *f, bool allowed,
                  struct changes *changes);

#endif
