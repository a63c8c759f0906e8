/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Width of the names of rows, left of the axes. */
#ifndef PCB_PLOT_GNUPLOT_ROW_NAMES_H
#define PCB_PLOT_GNUPLOT_ROW_NAMES_H

#include "plot/gnuplot/terminal.h"
#include "plot/picture/picture.h"

/* Characters of a name for which there is room; longer ones are shortened. */
size_t names_width(const struct picture *p, const struct terminal *t);

/* Characters of the margin for the names of all panels; 0 without rows. */
size_t rows_margin(const struct picture *p, const struct terminal *t);

#endif
