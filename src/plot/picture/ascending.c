/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts numbers. */
#include "plot/picture/ascending.h"

#include <stdlib.h>

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

void
sort_ascending(double *value, size_t n)
{
	if (n)
		qsort(value, n, sizeof *value, compare);
}

double
sorted_middle(double *value, size_t n)
{
	sort_ascending(value, n);
	return value[(n - 1) / 2] / 2 + value[n / 2] / 2;
}
