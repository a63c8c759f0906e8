/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tree of links as text. */
#ifndef PCB_DIFF_PRINT_TREE_H
#define PCB_DIFF_PRINT_TREE_H

#include "diff/links.h"

/*
 * Draws on stdout, in ASCII, each device below its parent, with the latency of
 * the link on the branch; one tree for each group of comparable devices. Dies,
 * before writing, if a device is its own ancestor.
 */
void draw_tree(const struct links *l);

#endif
