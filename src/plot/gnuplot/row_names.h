/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How wide the names of rows are, left of the axes. */
#ifndef PCB_PLOT_GNUPLOT_ROW_NAMES_H
#define PCB_PLOT_GNUPLOT_ROW_NAMES_H

#include "plot/gnuplot/terminal.h"
#include "plot/picture/picture.h"

/* The characters that a name has room for: longer ones are shortened. */
size_t names_width(const struct picture *p, const struct terminal *t);

/*
 * The margin that the names of all panels take, in characters; 0 without rows.
 */
size_t rows_margin(const struct picture *p, const struct terminal *t);

#endif
