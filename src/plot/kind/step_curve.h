/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The steps of a cumulative distribution that can be seen. */
#ifndef PCB_PLOT_KIND_STEP_CURVE_H
#define PCB_PLOT_KIND_STEP_CURVE_H

#include "common/stat/groups.h"
#include "plot/data/captions.h"

enum steps { STEPS_BELOW, STEPS_ABOVE };

/*
 * Adds to the curve the corners of the distribution's step function, x a
 * value, y the percentage of samples up to it, from 0 at the smallest value
 * to 100 at the largest; or of those above it, from 100 on, but for the
 * largest value, where it is that of the samples there. Each corner is exact.
 * A corner is left out if the curve without it differs by less than half a
 * dot of the picture, whose axes are set.
 */
void add_steps(struct curve *c, const struct histogram *d,
               const struct picture *p, enum steps which);

/* A curve for each group, with its name. */
void add_curves(struct picture *p, const struct groups *g,
                const struct names *names, enum steps which);

#endif
