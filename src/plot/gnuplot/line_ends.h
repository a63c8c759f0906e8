/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names at the right ends of curves, where they fit better than a legend. */
#ifndef PCB_PLOT_GNUPLOT_LINE_ENDS_H
#define PCB_PLOT_GNUPLOT_LINE_ENDS_H

#include "plot/gnuplot/terminal.h"
#include "plot/picture/picture.h"

#include <stddef.h>

/*
 * The columns that they take, right of the axes; 0 where they do not fit. They
 * fit where the picture is drawn, of one panel without rows, all curves with a
 * name are lines that end at the same x, and their names, two at least, are
 * short and have room beside their ends, which are apart.
 */
size_t line_ends_margin(const struct picture *p, const struct terminal *t);

/* Writes the gnuplot commands for them, if they fit, the margin included. */
void write_line_ends(const struct picture *p, const struct terminal *t);

#endif
