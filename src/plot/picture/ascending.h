/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers in order. */
#ifndef PCB_PLOT_PICTURE_ASCENDING_H
#define PCB_PLOT_PICTURE_ASCENDING_H

#include <stddef.h>

/* Sorts n numbers, the smallest first; none is NaN. */
void sort_ascending(double *value, size_t n);

/* The median of n numbers, which it sorts; n is over 0. */
double sorted_middle(double *value, size_t n);

#endif
