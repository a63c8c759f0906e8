/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scatter of values around a curve: a band, and dots for the minimum. */
#ifndef PCB_PLOT_KIND_PERCENTILE_BAND_H
#define PCB_PLOT_KIND_PERCENTILE_BAND_H

#include "plot/data/sweeps.h"
#include "plot/picture/picture.h"

/*
 * Adds the bands and then the minima of all sweeps, sweep i in colour i, and a
 * note that explains them; nothing if there are too many to tell apart.
 */
void add_bands(struct picture *p, const struct size_sweeps *s);

#endif
