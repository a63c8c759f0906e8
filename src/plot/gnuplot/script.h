/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one writer of gnuplot. */
#ifndef PCB_PLOT_GNUPLOT_SCRIPT_H
#define PCB_PLOT_GNUPLOT_SCRIPT_H

#include "common/stream/table.h"
#include "plot/gnuplot/terminal.h"
#include "plot/picture/picture.h"

struct script {
	const struct terminal *terminal;
	const struct preamble *preamble; /* comments of the script, or NULL */
	bool complete;                   /* the input was */
};

/*
 * Writes to stdout a script that draws the picture with gnuplot 5.2 or later,
 * data and all. Nothing in a text of picture or preamble is executed
 * by gnuplot.
 */
void write_script(const struct script *s, const struct picture *p);

#endif
