/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a gnuplot script from a template and a kind's data. */
#ifndef PCB_PLOT_GNUPLOT_SCRIPT_H
#define PCB_PLOT_GNUPLOT_SCRIPT_H

#include "common/stream/table.h"
#include "plot/picture/picture.h"

/* A gnuplot terminal of -T. */
struct terminal {
	const char *name;          /* in -T */
	const char *driver;        /* gnuplot's name */
	const char *ending;        /* of file names */
	const char *end;           /* of the contents, but for blanks */
	const char *font;          /* NULL: the driver's own */
	unsigned font_size;        /* points; pixels in svg */
	const char *options;       /* of the driver */
	unsigned width, height;    /* default, in pixels or characters */
	unsigned least_w, least_h; /* smallest legible size */
	unsigned most;             /* largest width or height */
	unsigned em_w, em_h;       /* size of a character */
	unsigned per_inch;         /* 0: the driver uses our units */
	double scale;              /* dots per dot of the picture */
	bool text;                 /* draws with characters */
	bool page;                 /* in a page that has the legend */
	bool untitled;             /* for a page that has a caption */
};

struct script {
	const struct terminal *terminal;
	const struct preamble *preamble; /* comments of the script, or NULL */
	bool complete;                   /* the input was complete */
};

/* The template of this name, share/pcb-tools/plot/NAME.gp. */
const char *template_text(const char *name);

/*
 * Writes a script to stdout that draws the picture, including its data, with
 * gnuplot 5.2 or later. gnuplot executes nothing in a text of picture or
 * preamble. Ends what the kind has put.
 */
void write_drawing(const struct script *s, struct picture *p,
                   const char *template);

#endif
