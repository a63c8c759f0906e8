/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reduces the number of points so that the picture looks the same. */
#ifndef PCB_PLOT_KIND_DECIMATE_H
#define PCB_PLOT_KIND_DECIMATE_H

#include "plot/picture/picture.h"

/*
 * If there are more than `most` points, keeps the same part of every curve,
 * half of `most` in total, chosen at random (the same each time), so that
 * density and colour stay true, and every point without a neighbour on its
 * curve. Where points of several curves overlap, keeps those of one, also at
 * random, so that none hides another. Returns whether points were dropped.
 * Needs the axes.
 */
bool thin(struct picture *p, size_t most);

#endif
