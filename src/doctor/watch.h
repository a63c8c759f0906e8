/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Links while they are watched: what fell, rose or had errors. */
#ifndef PCB_DOCTOR_WATCH_H
#define PCB_DOCTOR_WATCH_H

#include "common/doctor/doctor.h"

/*
 * Has pcb-collect watch all links until the command ends (NULL: none), at most
 * so long. Adds findings about the chosen functions (NULL: all), stores in
 * `tree` the best speed and width that their links showed, and in *d for how
 * long, how many errors, and whether the command was a load for them. Exits as
 * pcb-collect does if that fails.
 */
void watch_links(struct doctor *d, struct pci_tree *tree, bool *chosen,
                 uint64_t ps, char *const command[]);

#endif
