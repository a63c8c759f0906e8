/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A tree like /sys/bus/pci in the working directory. */
#ifndef PCB_TESTS_RIG_PCI_H
#define PCB_TESTS_RIG_PCI_H

#include "common/pci/tree.h"

#include <stddef.h>

/* A byte to write into config space, or the end of a list. */
struct byte {
	int at; /* 0 ends the list */
	unsigned char value;
};

/* A cmocka fixture: each test starts with an empty tree. */
int empty_tree(void **state);

/* Runs a command, which must succeed. */
void run_shell(const char *command);

/*
 * Adds a function 8086:1234 with `size` bytes of config space, at most 4096:
 * these bytes (NULL: none), and 0 elsewhere.
 */
void make_function(const char *bdf, const struct byte *bytes, size_t size);

/* Reads the tree, which must have n functions; the caller frees it. */
struct pci_tree *read_tree(size_t n);

#endif
