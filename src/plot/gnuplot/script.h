/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes gnuplot scripts. */
#ifndef PCB_PLOT_GNUPLOT_SCRIPT_H
#define PCB_PLOT_GNUPLOT_SCRIPT_H

#include "common/stream/table.h"
#include "plot/gnuplot/layout.h"

struct script {
	const struct terminal *terminal;
	const struct preamble *preamble; /* comments of the script, or NULL */
	bool complete;                   /* the input was complete */
};

/*
 * Writes a script to stdout that draws the picture, including its data, with
 * gnuplot 5.2 or later. gnuplot executes nothing in a text of picture or
 * preamble.
 */
void write_script(const struct script *s, const struct picture *p);

#endif
