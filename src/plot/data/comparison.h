/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Describes the comparison in rows of pcb-diff --by. */
#ifndef PCB_PLOT_DATA_COMPARISON_H
#define PCB_PLOT_DATA_COMPARISON_H

#include "plot/data/captions.h"

/*
 * A difference in words: "cache host-warm minus cold"; "minus cache cold" for
 * several conditions; "difference" without a base. Drops these columns from the
 * subtitle; a varying condition stays in the legend. Free it.
 */
char *difference_words(struct names *names);

/*
 * The same for a ratio: "cache host-warm in % of cold"; "% of cache cold"; "%
 * of the base". Free it.
 */
char *ratio_words(struct names *names);

#endif
