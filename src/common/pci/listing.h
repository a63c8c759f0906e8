/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses the output of `lspci -vv` into a tree of functions. */
#ifndef PCB_COMMON_PCI_LISTING_H
#define PCB_COMMON_PCI_LISTING_H

#include "common/pci/registers.h"

#include <stdio.h>

/*
 * Whether the text names registers ("DevCtl:") and has no bytes of config
 * space. Reads the file from its start and rewinds it.
 */
bool is_listing(FILE *f);

/*
 * Parses the text to its end. Composes registers from the words in which lspci
 * shows them; registers that it does not show or that cannot be parsed count as
 * not seen. Functions keep their order in the text and have no parents. Free
 * with pci_tree_free.
 */
struct pci_tree *listing_read(FILE *f);

#endif
