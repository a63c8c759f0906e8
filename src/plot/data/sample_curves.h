/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names and colours for any number of curves of samples. */
#ifndef PCB_PLOT_DATA_SAMPLE_CURVES_H
#define PCB_PLOT_DATA_SAMPLE_CURVES_H

#include "common/stat/groups.h"
#include "plot/data/captions.h"
#include "plot/data/curve_colours.h"

/* How a group is drawn. */
struct sample_curve {
	char *name; /* for picture_add, which takes it; or NULL */
	size_t colour;
	bool thin;
};

/*
 * One per group; free the array. Runs share colour and name. Of more than eight
 * conditions, the seven with medians furthest from the median of all have their
 * own name and colour; the others are thin and share a colour, and the first of
 * them is named by their number and the range of their medians.
 */
struct sample_curve *sample_curves_of(const struct names *names,
                                      const struct groups *g);

#endif
