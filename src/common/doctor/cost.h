/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bandwidth of a function by the model, as it is and as it could be. */
#ifndef PCB_COMMON_DOCTOR_COST_H
#define PCB_COMMON_DOCTOR_COST_H

#include "common/doctor/finding.h"
#include "common/link/model.h"
#include "common/pci/tree.h"

/* Round trip of a read that costs assume, in ps. */
#define COST_RTT_PS 1000000

/* A copy of a tree with functions to modify; free with doctor_copy_free. */
struct pci_tree *doctor_copy(const struct pci_tree *tree);
void doctor_copy_free(struct pci_tree *copy);

/* The copied function with this BDF, or NULL. */
struct pci_function *doctor_copied(const struct pci_tree *copy,
                                   const char *bdf);

/*
 * The bound, in Gbit/s, of a bench with transfers of `size` bytes by a function
 * of the tree: its path as set, accounting `traffic`. NaN if the path is not
 * readable. `inflight` is the number of outstanding reads, each for
 * COST_RTT_PS; 0: only the link limits.
 */
double doctor_gbit_s(const struct pci_tree *tree, const struct pci_function *f,
                     const char *bench, uint64_t size, uint64_t inflight);

#endif
