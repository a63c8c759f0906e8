/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Colours of curves and their names. */
#ifndef PCB_PLOT_GNUPLOT_COLOURS_H
#define PCB_PLOT_GNUPLOT_COLOURS_H

#include "plot/picture/picture.h"

/* Number of curves with distinct colours. */
#define COLOURS 7

/* Colour of a curve, such as "#0072B2"; constant. */
const char *curve_colour(const struct curve *c);

/* A darker shade, legible as text on white; constant. */
const char *curve_text_colour(const struct curve *c);

#endif
