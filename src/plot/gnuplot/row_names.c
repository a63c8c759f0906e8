/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures the names of rows, left of the axes. */
#include "plot/gnuplot/row_names.h"

#include "plot/picture/category_axis.h"

/* Characters that the legend needs besides. */
#define LEGEND 30

size_t
names_width(const struct picture *p, const struct terminal *t)
{
	size_t all = p->width / t->em_w;
	size_t room = all * NAMES_PCT / 100;
	size_t width = widest_row(p);

	if (room + LEGEND > all)
		room = all - LEGEND;
	return width < room ? width : room;
}

size_t
rows_margin(const struct picture *p, const struct terminal *t)
{
	return p->nrows ? names_width(p, t) + 2 : 0;
}
