/* SPDX-License-Identifier: GPL-2.0-or-later */
/* More points than can be seen become fewer that look the same. */
#ifndef PCB_PLOT_KIND_DECIMATE_H
#define PCB_PLOT_KIND_DECIMATE_H

#include "plot/picture/picture.h"

/*
 * Of the points that are within the same square leaves one, that of the curve
 * that got there first, all curves advancing together: so none hides another;
 * the first point of each curve stays.
 * The squares are the smallest, in whole dots of the picture, with which at
 * most `most` points are left. Returns their width, or 0 if no point was left
 * out, as where there are few points of one curve. Needs the axes.
 */
unsigned thin(struct picture *p, size_t most);

#endif
