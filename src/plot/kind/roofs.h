/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits of bandwidth, each as a line. */
#ifndef PCB_PLOT_KIND_ROOFS_H
#define PCB_PLOT_KIND_ROOFS_H

#include "plot/data/captions.h"
#include "plot/picture/picture.h"

/*
 * Adds the limits that the picture requests, for the sizes of its curves: the
 * raw rate of the link, the limit after packet overhead, outstanding reads over
 * the round trip, write credits. A limit that is always above the raw rate has
 * no line. Dies unless all rows are of one link and one bench, and these have a
 * model.
 */
void add_roofs(struct picture *p, const struct names *names);

#endif
