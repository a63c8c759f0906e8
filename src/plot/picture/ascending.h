/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts numbers. */
#ifndef PCB_PLOT_PICTURE_ASCENDING_H
#define PCB_PLOT_PICTURE_ASCENDING_H

#include <stddef.h>

/* Sorts n numbers in ascending order; none is NaN. */
void sort_ascending(double *value, size_t n);

/* Sorts n numbers and returns their median; n is not 0. */
double sorted_middle(double *value, size_t n);

#endif
