/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a gnuplot script from a template and a kind's data. */
#ifndef PCB_PLOT_GNUPLOT_SCRIPT_H
#define PCB_PLOT_GNUPLOT_SCRIPT_H

#include "common/stream/table.h"
#include "plot/picture/picture.h"

/*
 * Writes a script to stdout that draws the picture, including its data, with
 * gnuplot 5.2 or later; comments have the preamble, unless it is NULL, and
 * whether the input was complete. gnuplot executes nothing in a text of picture
 * or preamble. Ends what the kind has put.
 */
void write_drawing(struct picture *p, const struct preamble *preamble,
                   bool complete);

#endif
