/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What pcb-diff says of links: devices and the bridges above them. */
#ifndef PCB_PLOT_DATA_LINK_TREE_H
#define PCB_PLOT_DATA_LINK_TREE_H

#include "common/stream/key_set.h"
#include "common/stream/table.h"

#include <stdbool.h>

/* A device, or the bridge above devices of which nothing else is known. */
struct link_node {
	size_t group;
	char *device, *parent, *link;
	double above;   /* latency of the bridge above; 0 at the root */
	double latency; /* of the link, or of a root */
	double low, high;
	double wire; /* what of it is serialization */
	char *flags; /* but for the first of these */
	bool completer;
	size_t depth;
	bool root, listed;
};

/* Zero-initialise; release with free_tree. */
struct link_tree {
	struct key_set groups; /* what devices of one tree have in common */
	struct link_node *node;
	size_t n;
	bool knows_completers; /* which of the nodes are some */
	uintmax_t skipped;
};

/*
 * Reads the table to its end, a node for each link, and adds the bridges that
 * have none. Dies on bad input and where a column is missing; warns of rows
 * without a latency.
 */
void read_tree(struct link_tree *tree, struct table *t);

void free_tree(struct link_tree *tree);

/* The nodes from the root down, each before its children. */
struct walk {
	size_t *node; /* their numbers */
	size_t n;
};

/* Sets the depths of all nodes. Free walk.node. */
struct walk walk_tree(struct link_tree *tree);

#endif
