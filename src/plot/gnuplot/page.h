/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A picture as a page that can be touched: one file, without references. */
#ifndef PCB_PLOT_GNUPLOT_PAGE_H
#define PCB_PLOT_GNUPLOT_PAGE_H

#include "plot/picture/picture.h"

/*
 * Writes the commands that have gnuplot print the page around its SVG: what
 * comes before the first plot, what follows each of them, and what follows the
 * last. The page has the numbers of all curves, which a script shows under the
 * pointer.
 */
void write_page_begin(const struct picture *p);
void write_page_plot(size_t panel); /* its number, from 0 */
void write_page_end(const struct picture *p);

#endif
