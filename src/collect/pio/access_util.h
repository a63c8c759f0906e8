/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by access methods; private to them. */
#ifndef PCB_COLLECT_PIO_ACCESS_UTIL_H
#define PCB_COLLECT_PIO_ACCESS_UTIL_H

#include "collect/pio/access_method.h"

/*
 * Maps, read-only, the page of r->fd with the byte `at`, and points r->word at
 * that byte. False with errno.
 */
bool access_map32(struct reader *r, uint64_t at);

/* Reads r->word. */
bool access_read32(const struct reader *r, uint32_t *value);

/* Reads 4 bytes at r->at of r->fd. */
bool access_pread32(const struct reader *r, uint32_t *value);

/*
 * Whether config space contains the register, by the size of its file in sysfs;
 * true if the size is unknown. access_check_size is false after fail() if not.
 */
bool access_has_register(const struct pci_tree *tree, const struct reader *r);
bool access_check_size(struct session *s, const struct pci_tree *tree,
                       const struct reader *r);

#endif
