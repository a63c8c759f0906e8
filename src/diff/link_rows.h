/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of link mode, and what rows of links have in common. */
#ifndef PCB_DIFF_LINK_ROWS_H
#define PCB_DIFF_LINK_ROWS_H

#include "common/stream/header.h"
#include "diff/links.h"

/*
 * Identity: the columns of the input but `run`, then those that --links tells
 * and the input lacks. Of an edge, in the order of the header.
 */
void add_link_identity(struct header *h, const struct links *l);
void write_link_identity(const struct links *l, const struct edge *e,
                         struct out *o);

/*
 * Writes header and rows to `o`, which is set up, and leaves
 * out_finish to the caller.
 */
void write_links(const struct links *l, struct out *o);

#endif
