/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How numbers scatter about a curve: an area, and dots for the minimum. */
#ifndef PCB_PLOT_KIND_PERCENTILE_BAND_H
#define PCB_PLOT_KIND_PERCENTILE_BAND_H

#include "plot/data/sweeps.h"
#include "plot/picture/picture.h"

/*
 * Adds the bands and then the minima of all sweeps, number i in colour i, and
 * a note that says what they are; nothing where there are too many to tell
 * them apart.
 */
void add_bands(struct picture *p, const struct size_sweeps *s);

#endif
