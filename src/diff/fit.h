/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --fit: the delay model of Miller et al. over links of several widths. */
#ifndef PCB_DIFF_FIT_H
#define PCB_DIFF_FIT_H

#include "diff/link_rows.h"

/*
 * Writes a row for each PCI Express link, fitted with all links of its group
 * and generation; otherwise as write_links. Warns if a fit is not conclusive.
 */
void write_fit(const struct links *l, struct out *o);

#endif
