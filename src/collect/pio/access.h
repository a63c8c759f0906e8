/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses and opens an access method, see access_method.h. */
#ifndef PCB_COLLECT_PIO_ACCESS_H
#define PCB_COLLECT_PIO_ACCESS_H

#include "collect/pio/access_method.h"

/*
 * The method called `name` for an address, or NULL; "auto" is the first method
 * that reads such addresses.
 */
const struct access_method *access_find(const char *name,
                                        const struct reg_addr *addr);

/* The names of those that read such an address, with ", ". Free it. */
char *access_list(const struct reg_addr *addr);

/*
 * Opens a reader of one register. Tree and function must outlive it. False
 * after fail(), with nothing left open.
 */
bool access_open(struct session *s, const struct access_method *method,
                 const struct pci_tree *tree, const struct pci_function *f,
                 const struct reg_addr *addr, struct reader *r);
void access_close(struct reader *r);

/*
 * Whether the function does not answer by this method, because runtime power
 * management has suspended it or a bridge above; and whether it may be
 * suspended before the next read: then its memory must not be read without
 * keeping it awake, which some machines do not survive.
 */
bool reader_is_suspended(const struct pci_tree *tree, const struct reader *r);
bool reader_may_suspend(const struct pci_tree *tree, const struct reader *r);

#endif
