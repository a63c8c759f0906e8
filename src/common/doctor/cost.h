/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the model says a function can reach, as it is and as it could be. */
#ifndef PCB_COMMON_DOCTOR_COST_H
#define PCB_COMMON_DOCTOR_COST_H

#include "common/doctor/finding.h"
#include "common/link/model.h"
#include "common/pci/tree.h"

/* The round trip of a read that costs assume where one is needed. */
#define COST_RTT_PS 1000000

/* A copy of a tree whose functions may be changed; free with doctor_copy_free.
 */
struct pci_tree *doctor_copy(const struct pci_tree *tree);
void doctor_copy_free(struct pci_tree *copy);

/* The function of the copy that stands for one of the original, or NULL. */
struct pci_function *doctor_copied(const struct pci_tree *copy,
                                   const char *bdf);

/*
 * The bound, in Gbit/s, of a bench of transfers of `size` bytes by a function
 * of the tree: its path as it is set, accounting `traffic`. NaN where the path
 * cannot be seen. `inflight` is the reads under way at a time, each for
 * COST_RTT_PS; 0: the link alone bounds.
 */
double doctor_gbit_s(const struct pci_tree *tree, const struct pci_function *f,
                     const char *bench, uint64_t size, uint64_t inflight);

#endif
