/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The visible steps of a cumulative distribution. */
#ifndef PCB_PLOT_KIND_STEP_CURVE_H
#define PCB_PLOT_KIND_STEP_CURVE_H

#include "common/stat/groups.h"
#include "plot/data/captions.h"

enum steps { STEPS_BELOW, STEPS_ABOVE };

/*
 * Adds to the curve the corners of the distribution's step function: x is a
 * value, y the percentage of samples up to it, from 0 at the smallest value to
 * 100 at the largest; or of those above it, from 100 down, except that the
 * largest value has the percentage of its own samples. Corners are exact. Drops
 * a corner if that changes the curve by less than half a dot of the picture.
 * Needs the axes.
 */
void add_steps(struct curve *c, const struct histogram *d,
               const struct picture *p, enum steps which);

/* Adds a curve for each group, with its name. */
void add_curves(struct picture *p, const struct groups *g,
                const struct names *names, enum steps which);

#endif
