/* SPDX-License-Identifier: GPL-2.0-or-later */
/* More points than can be seen become fewer that look the same. */
#ifndef PCB_PLOT_KIND_DECIMATE_H
#define PCB_PLOT_KIND_DECIMATE_H

#include "plot/picture/picture.h"

/*
 * Where there are more than `most` points, leaves of all curves the same part,
 * half of `most` of them all, chosen by chance (the same ones each time), so
 * that density and colour are true; and besides each point with no other one of
 * its curve near it. Where points of several curves lie on each other, those of
 * one stay, by chance too, so that none hides another. Returns whether any were
 * left out. Needs the axes.
 */
bool thin(struct picture *p, size_t most);

#endif
