/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names at the right ends of curves, where they fit better than in a legend. */
#ifndef PCB_PLOT_GNUPLOT_LINE_ENDS_H
#define PCB_PLOT_GNUPLOT_LINE_ENDS_H

#include "plot/gnuplot/terminal.h"
#include "plot/picture/picture.h"

#include <stddef.h>

/*
 * Columns of the names, right of the axes; 0 if they do not fit. They fit a
 * graphics file with one panel without rows, if all curves with a name are
 * lines that end at the same x, and if their names, at least two, are short,
 * and their ends far enough apart.
 */
size_t line_ends_margin(const struct picture *p, const struct terminal *t);

/* Writes gnuplot commands for the names and the margin, if they fit. */
void write_line_ends(const struct picture *p, const struct terminal *t);

#endif
