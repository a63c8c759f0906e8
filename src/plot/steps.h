/* The steps of a cumulative distribution that can be seen. */
#ifndef PCB_PLOT_STEPS_H
#define PCB_PLOT_STEPS_H

#include "common/dist.h"
#include "plot/picture.h"

/*
 * Adds to the curve the corners of the distribution's step function, x a
 * value, y the percentage of samples up to it; from 0 at the smallest value
 * to 100 at the largest. Each corner is exact. A corner is left out if the
 * curve without it differs by less than half a dot of the picture.
 */
void add_steps(struct curve *c, const struct dist *d, const struct picture *p);

#endif
