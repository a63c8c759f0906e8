/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Link mode: the devices of the PCI tree, each with the bridge above it. */
#ifndef PCB_DIFF_LINKS_H
#define PCB_DIFF_LINKS_H

#include "diff/topology.h"
#include "diff/tree_edge.h"

/* In keys, what --links may say stands behind all columns of the input. */
#define PARENT_COL (UINT32_MAX - 2)
#define LINK_COL   (UINT32_MAX - 1)

/*
 * Zero-initialise, have the topology read if there is one, read_links; release
 * with links_free.
 */
struct links {
	struct topology topology;
	const struct table *table;          /* the input, read to its end, */
	const struct diff_columns *columns; /* and what its columns are */
	struct key_set groups;              /* what may be compared */
	struct key_set nodes;               /* group and device */
	struct key_set edges;               /* group, device, parent and link */
	struct edge *edge;                  /* by number of its key */
	size_t n, room;
	bool *is_parent; /* of each node: whether a device is below it */
};

/*
 * Reads the table to its end; dies on bad input. Warns of devices whose
 * parent was not measured with them, and of runs without the parent. Table
 * and columns must outlive the links.
 */
void read_links(struct links *l, struct table *t, struct diff_columns *c);

/* A text of an edge's key, by number of column or one of the above. */
const char *edge_text(const struct links *l, const struct edge *e, size_t col);

/* The same by name; "" where the input has no such column. */
const char *edge_named(const struct links *l, const struct edge *e,
                       const char *name);

void links_free(struct links *l);

#endif
