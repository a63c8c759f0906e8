/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses and opens the way to read a register: see access_method.h. */
#ifndef PCB_COLLECT_PIO_ACCESS_H
#define PCB_COLLECT_PIO_ACCESS_H

#include "collect/pio/access_method.h"

/*
 * The method of this name for an address, or NULL; "auto" is the first that
 * reads such addresses.
 */
const struct access_method *access_find(const char *name,
                                        const struct reg_addr *addr);

/* The names of those that read such an address, ", " between. Free it. */
char *access_list(const struct reg_addr *addr);

/*
 * Opens a reader of one register. The tree and its function must outlive it.
 * False after fail(), with nothing left open.
 */
bool access_open(struct session *s, const struct access_method *method,
                 const struct pci_tree *tree, const struct pci_function *f,
                 const struct reg_addr *addr, struct reader *r);
void access_close(struct reader *r);

/*
 * Whether the function would not answer by this method since it sleeps by
 * runtime power management, or a bridge above; and whether it may begin to, so
 * that a read of its memory, which some machines do not survive, must not be
 * tried without keeping it awake.
 */
bool reader_is_suspended(const struct pci_tree *tree, const struct reader *r);
bool reader_may_suspend(const struct pci_tree *tree, const struct reader *r);

#endif
