/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `lspci -vv` prints, as a tree of functions. */
#ifndef PCB_COMMON_PCI_LISTING_H
#define PCB_COMMON_PCI_LISTING_H

#include "common/pci/function.h"

#include <stdio.h>

/*
 * Whether the text names registers ("DevCtl:") and has no bytes of config
 * space. Reads the file from its start, and goes back there.
 */
bool is_listing(FILE *f);

/*
 * Reads the text to its end. Registers are put together from the words in
 * which lspci shows them; what it does not show is not seen, and what cannot
 * be read counts as not shown. The functions are as they come in the text, and
 * without parents. Free with pci_tree_free.
 */
struct pci_tree *listing_read(FILE *f);

#endif
