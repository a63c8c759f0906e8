/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Position and height of a picture's panels. */
#ifndef PCB_PLOT_GNUPLOT_PANELS_H
#define PCB_PLOT_GNUPLOT_PANELS_H

#include "plot/gnuplot/legend.h"

/* Makes a picture as high as its rows or panels need. */
void grow_for_panels(struct picture *p, const struct terminal *t);

/*
 * The least legible height of a picture of several panels, in the terminal's
 * units; 0 for a single panel.
 */
unsigned least_height(const struct picture *p, const struct terminal *t);

/* Rows of the picture per line of text, at its height. */
size_t rows_per_line(const struct picture *p, const struct terminal *t);

/* Lines of the axis of a panel without rows, as write_margins lays it out. */
double panel_lines(const struct picture *p, const struct picture *panel,
                   double above, const struct legend *l,
                   const struct terminal *t);

/* Characters from the middle of the first panel to that of the picture. */
double title_offset(const struct picture *p, const struct terminal *t);

/* Characters of a panel's horizontal axis and its margins. */
size_t panel_columns(const struct picture *p, const struct picture *panel,
                     const struct terminal *t);

/*
 * Writes the gnuplot commands for the margins of one of several panels; the
 * title takes `above` lines.
 */
void write_margins(const struct picture *p, const struct picture *panel,
                   double above, const struct legend *l,
                   const struct terminal *t);

#endif
