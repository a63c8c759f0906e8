/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The curves of a picture as gnuplot has them. */
#ifndef PCB_PLOT_GNUPLOT_CURVES_H
#define PCB_PLOT_GNUPLOT_CURVES_H

#include "plot/gnuplot/legend.h"

/*
 * Writes the data blocks of a panel of the picture and the command that draws
 * them, each curve in its style and those that the legend has room for with
 * their names.
 */
void write_curves(const struct picture *p, const struct picture *panel,
                  const struct terminal *t, const struct legend *l);

/* Writes what gnuplot calls the data of a curve: $curve1, or $curve1_2 of the
 * second panel.
 */
void write_block_name(const struct picture *p, const struct picture *panel,
                      size_t i);

/* Writes a command that draws the legend alone, of all panels. */
void write_names(const struct picture *p, const struct terminal *t,
                 const struct legend *l);

#endif
