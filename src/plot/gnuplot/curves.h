/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the curves of a picture for gnuplot. */
#ifndef PCB_PLOT_GNUPLOT_CURVES_H
#define PCB_PLOT_GNUPLOT_CURVES_H

#include "plot/gnuplot/layout.h"

/*
 * Writes the data blocks of a panel and the command that draws them: each curve
 * in its style, with its name if the legend has room.
 */
void write_curves(const struct picture *p, const struct picture *panel,
                  const struct terminal *t, const struct legend *l);

/*
 * Writes the name of a curve's data: $curve1, or $curve1_2 in the second panel.
 */
void write_block_name(const struct picture *p, const struct picture *panel,
                      size_t i);

/* Writes a command that draws only the legend, for all panels. */
void write_names(const struct picture *p, const struct terminal *t,
                 const struct legend *l);

/* Colour of a curve, such as "#0072B2"; constant. */
const char *curve_colour(const struct curve *c);

#endif
