/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Link mode: devices of the PCI tree, each with the bridge above it. */
#ifndef PCB_DIFF_LINKS_H
#define PCB_DIFF_LINKS_H

#include "diff/topology.h"
#include "diff/tree_edge.h"

/* In keys, columns of --links come after all columns of the input. */
#define PARENT_COL (UINT32_MAX - 2)
#define LINK_COL   (UINT32_MAX - 1)

/*
 * Zero-initialise, read the topology if there is one, then read_links; release
 * with links_free.
 */
struct links {
	struct topology topology;
	const struct table *table;          /* input, read to its end */
	const struct diff_columns *columns; /* its columns */
	struct key_set groups;              /* comparable devices */
	struct key_set nodes;               /* group and device */
	struct key_set edges;               /* group, device, parent and link */
	struct edge *edge;                  /* by index of its key */
	size_t n, room;
	bool *is_parent; /* per node: it has devices below */
};

/*
 * Reads the table to its end; dies if the input is bad. Warns of devices whose
 * parent was not measured, and of runs without the parent. Table and columns
 * must outlive the links.
 */
void read_links(struct links *l, struct table *t, struct diff_columns *c);

/* The text of an edge's key in column `col`, or one of the above. */
const char *edge_text(const struct links *l, const struct edge *e, size_t col);

/* The same by name; "" if the input has no such column. */
const char *edge_named(const struct links *l, const struct edge *e,
                       const char *name);

void links_free(struct links *l);

#endif
