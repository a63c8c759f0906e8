/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the rows of link mode; key columns for all rows of links. */
#ifndef PCB_DIFF_LINK_ROWS_H
#define PCB_DIFF_LINK_ROWS_H

#include "common/stream/header.h"
#include "diff/links.h"

/*
 * Key columns: those of the input except `run`, then those of --links that the
 * input lacks. write_link_identity writes an edge's cells in this order.
 */
void add_link_identity(struct header *h, const struct links *l);
void write_link_identity(const struct links *l, const struct edge *e,
                         struct out *o);

/*
 * Writes header and rows to `o`, which is set up; the caller calls out_finish.
 */
void write_links(const struct links *l, struct out *o);

#endif
