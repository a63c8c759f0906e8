/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The colours of curves and of their names. */
#ifndef PCB_PLOT_GNUPLOT_COLOURS_H
#define PCB_PLOT_GNUPLOT_COLOURS_H

#include "plot/picture/picture.h"

/* So many curves have different colours. */
#define COLOURS 7

/* "#0072B2": the colour of a curve; a constant. */
const char *curve_colour(const struct curve *c);

/* A darker one, which can be read as text on white; a constant. */
const char *curve_text_colour(const struct curve *c);

#endif
