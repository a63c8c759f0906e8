/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Link mode: the devices of the PCI tree, each with the bridge above it. */
#ifndef PCB_DIFF_LINKS_H
#define PCB_DIFF_LINKS_H

#include "diff/topology.h"
#include "diff/tree_edge.h"

/* In keys, what --links may tell stands behind all columns of the input. */
#define PARENT_COL (UINT32_MAX - 2)
#define LINK_COL   (UINT32_MAX - 1)

/*
 * Zero-initialise, have the topology read if there is one, read_links; release
 * with links_free.
 */
struct links {
	struct topology topology;
	const struct table *table;     /* the input, read to its end, */
	const struct columns *columns; /* and what its columns are */
	struct key_set things; /* what a device has in common over the runs */
	struct key_set groups; /* the same without device, parent and link */
	struct key_set spots;  /* group and device */
	bool *above;           /* whether this spot is the parent of a device */
	struct hop *hop;       /* in order of first appearance */
	size_t n;
};

/*
 * Reads the table to its end; dies on bad input. Warns of devices whose
 * parent was not measured with them, and of runs without the parent. Table
 * and columns must outlive the links.
 */
void read_links(struct links *l, struct table *t, struct columns *c);

/* A text of a hop's identity, by number of column or one of the above. */
const char *hop_text(const struct links *l, const struct hop *hop, size_t col);

/* The same by name; "" where the input has no such column. */
const char *hop_named(const struct links *l, const struct hop *hop,
                      const char *name);

void links_free(struct links *l);

#endif
