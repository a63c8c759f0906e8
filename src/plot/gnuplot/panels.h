/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the panels of a picture are, and how high they are. */
#ifndef PCB_PLOT_GNUPLOT_PANELS_H
#define PCB_PLOT_GNUPLOT_PANELS_H

#include "plot/gnuplot/legend.h"

/* Makes a picture as high as its rows, or its panels, need. */
void grow_for_panels(struct picture *p, const struct terminal *t);

/*
 * How high a picture of several panels is at least, as the terminal counts:
 * what is lower cannot be read. 0 for a single panel.
 */
unsigned least_height(const struct picture *p, const struct terminal *t);

/* How many of the picture's rows are on a line of text, as high as it is. */
size_t rows_per_line(const struct picture *p, const struct terminal *t);

/* The lines of the axis of a panel without rows, as write_margins lays it out.
 */
double panel_lines(const struct picture *p, const struct picture *panel,
                   double above, const struct legend *l,
                   const struct terminal *t);

/* How many characters the middle of the picture is right of the first panel's.
 */
double title_offset(const struct picture *p, const struct terminal *t);

/* The characters of the horizontal axis of a panel, and of what is beside it.
 */
size_t panel_columns(const struct picture *p, const struct picture *panel,
                     const struct terminal *t);

/*
 * Writes the gnuplot commands for the margins of a panel of a picture that has
 * several, `above` lines being taken by the title.
 */
void write_margins(const struct picture *p, const struct picture *panel,
                   double above, const struct legend *l,
                   const struct terminal *t);

#endif
