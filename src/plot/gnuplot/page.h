/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A picture as an interactive page: one file, without references. */
#ifndef PCB_PLOT_GNUPLOT_PAGE_H
#define PCB_PLOT_GNUPLOT_PAGE_H

#include "plot/picture/picture.h"

/*
 * Write the commands with which gnuplot prints the page around its SVG: before
 * the first plot, after each plot, and after the last. The page contains the
 * numbers of all curves; a script shows those under the pointer.
 */
void write_page_begin(const struct picture *p);
void write_page_plot(size_t panel); /* index of the panel */
void write_page_end(const struct picture *p);

#endif
