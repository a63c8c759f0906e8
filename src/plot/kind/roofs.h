/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What limits a bandwidth, each as a line of its own. */
#ifndef PCB_PLOT_KIND_ROOFS_H
#define PCB_PLOT_KIND_ROOFS_H

#include "plot/data/captions.h"
#include "plot/picture/picture.h"

/*
 * Adds the limits that the picture asks for, for transfers of the sizes that
 * its curves have: the raw rate of the link, what packets leave of it, reads in
 * flight over the time of a round trip, credits for writes. A limit that is
 * above the raw rate throughout has no line. Dies where rows are not of one
 * link and one bench that have a model.
 */
void add_roofs(struct picture *p, const struct names *names);

#endif
