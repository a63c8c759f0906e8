/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tree of devices. */
#ifndef PCB_DIFF_TREE_H
#define PCB_DIFF_TREE_H

#include "diff/links.h"

/* A device, or a parent that was not measured. */
struct device_node {
	const struct edge *edge; /* NULL: not measured */
	size_t group;
	const char *name;
	size_t parent, child, sibling; /* indices; NO_NODE: none */
	size_t last;                   /* child */
	size_t depth;
	bool reached; /* from a root */
};

/* Zero-initialise; release with tree_free. */
struct device_tree {
	struct device_node *node;
	size_t n;
	size_t *order; /* all nodes, by group, parents first */
	size_t norder;
};

/* The links must outlive the tree. Dies if a device is its own ancestor. */
void tree_make(struct device_tree *tree, const struct links *l);

void tree_free(struct device_tree *tree);

#endif
