/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses the output of `lspci -vv` into a tree of functions. */
#ifndef PCB_COMMON_PCI_LISTING_H
#define PCB_COMMON_PCI_LISTING_H

#include "common/pci/registers.h"

#include <stdio.h>

/*
 * Parses a text in which lspci's output is, to its end: words of lspci -vv and
 * rows of lspci -x, indented in any way, quoted, wrapped or encoded by mail
 * programs, with other text around. Composes registers from words; registers
 * that are not shown or cannot be parsed count as not seen. Writes rows of
 * config space to `rows` (NULL: nowhere), in lspci's format, functions in the
 * tree's order.
 *
 * A function that occurs twice is completed, unless registers have changed or
 * it is another device: then a new state begins. Where most are other devices,
 * it is that of another machine, which nothing completes. *state is the one to
 * read, from 1, or 0 for the last, and becomes the number of states; if it has
 * no functions, n is 0.
 *
 * Lines that are no output of lspci, but of a source that facts_take knows, are
 * added to the facts.
 *
 * Functions are in order and have no parents. Lines of links whose function is
 * not named get the address "?1" and so on. Free with pci_tree_free.
 */
struct pci_tree *listing_read(FILE *f, FILE *rows, unsigned *state,
                              struct facts *facts);

#endif
