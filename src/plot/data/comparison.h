/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What rows of pcb-diff --by compare with what. */
#ifndef PCB_PLOT_DATA_COMPARISON_H
#define PCB_PLOT_DATA_COMPARISON_H

#include "plot/data/captions.h"

/*
 * "cache host-warm minus cold": what a difference is. Where several conditions
 * are compared with the base, "minus cache cold"; where there is no base,
 * "difference". From then on neither is in the subtitle; a condition that
 * varies stays in the legend. free() it.
 */
char *difference_words(struct names *names);

/*
 * "cache host-warm in % of cold": what a ratio is, likewise; or "% of cache
 * cold", and without a base "% of the base". free() it.
 */
char *ratio_words(struct names *names);

#endif
