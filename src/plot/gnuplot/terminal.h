/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The terminals of gnuplot that -T offers. */
#ifndef PCB_PLOT_GNUPLOT_TERMINAL_H
#define PCB_PLOT_GNUPLOT_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

struct terminal {
	const char *name;          /* of -T */
	const char *driver;        /* gnuplot's name for it */
	const char *ending;        /* of file names */
	const char *font;          /* its name; the driver's own: NULL */
	unsigned font_size;        /* points; pixels in svg */
	const char *options;       /* of the driver */
	unsigned width, height;    /* pixels or characters, unless --size */
	unsigned least_w, least_h; /* the smallest that is legible */
	unsigned most;             /* of either */
	unsigned em_w, em_h;       /* room that a character takes */
	unsigned per_inch;         /* 0: the driver counts as we do */
	double scale;              /* dots for each of the picture's */
	bool text;                 /* draws with characters */
	bool page;     /* the picture is in a page, which has the legend */
	bool untitled; /* for a page that has a caption */
};

/* All of them; the first is the default, the last has no name. */
extern const struct terminal terminals[];

/* The terminal of this name, or NULL. */
const struct terminal *terminal_find(const char *name);

/*
 * Another font, whose name must outlive the terminal, NULL being the same one,
 * of another size, 0 being the same one: characters take as much more room.
 */
void terminal_set_font(struct terminal *t, const char *name, unsigned size);

/* The size of the title's font. */
unsigned terminal_title_size(const struct terminal *t);

#endif
