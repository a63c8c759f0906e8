/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Links of pcb-diff: devices and the bridges above them. */
#ifndef PCB_PLOT_DATA_LINK_TREE_H
#define PCB_PLOT_DATA_LINK_TREE_H

#include "common/stream/key_set.h"
#include "common/stream/table.h"

#include <stdbool.h>

/* A device, or a bridge known only as the parent of devices. */
struct link_node {
	size_t group;
	char *device, *parent, *link;
	double above;   /* latency of the bridge above; 0 at the root */
	double latency; /* of the link, or of a root */
	double low, high;
	double wire; /* its part for serialization */
	char *flags; /* without "completer" */
	bool completer;
	size_t depth;
	bool root, listed;
};

/* Zero-initialise; release with free_tree. */
struct link_tree {
	struct key_set groups; /* the columns that identify a tree */
	struct link_node *node;
	size_t n;
	bool knows_completers; /* some rows have the flag "completer" */
	uintmax_t skipped;
};

/*
 * Reads the table to its end, a node per link, and adds bridges without a row.
 * Dies if the input is bad or a column is missing; warns of rows without a
 * latency.
 */
void read_tree(struct link_tree *tree, struct table *t);

void free_tree(struct link_tree *tree);

/* The nodes from the root down, parents first. */
struct walk {
	size_t *node; /* indices */
	size_t n;
};

/* Sets the depths of all nodes. Free walk.node. */
struct walk walk_tree(struct link_tree *tree);

#endif
