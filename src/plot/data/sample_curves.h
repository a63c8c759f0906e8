/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names and colours of the curves of samples, however many there are. */
#ifndef PCB_PLOT_DATA_SAMPLE_CURVES_H
#define PCB_PLOT_DATA_SAMPLE_CURVES_H

#include "common/stat/groups.h"
#include "plot/data/captions.h"
#include "plot/data/curve_colours.h"

/* How a group is drawn. */
struct sample_curve {
	char *name; /* for picture_add, which takes it; NULL: none */
	size_t colour;
	bool thin;
};

/*
 * One for each group; free() the array. Runs have one colour and one name. Of
 * more than eight conditions the seven whose medians are furthest from the
 * median of all have a name and a colour of their own; all others are thin, of
 * one colour, and the first of them says how many they are and how near their
 * medians are.
 */
struct sample_curve *sample_curves_of(const struct names *names,
                                      const struct groups *g);

#endif
