/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The terminals of gnuplot that -T offers. */
#ifndef PCB_PLOT_GNUPLOT_TERMINAL_H
#define PCB_PLOT_GNUPLOT_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

struct terminal {
	const char *name;          /* of -T */
	const char *driver;        /* gnuplot's name for it */
	const char *options;       /* of the driver */
	unsigned width, height;    /* pixels or characters, unless --size */
	unsigned least_w, least_h; /* the smallest that is legible */
	unsigned most;             /* of either */
	unsigned em_w, em_h;       /* room that a character takes */
	unsigned title_font; /* its size; that of the rest is in options */
	unsigned per_inch;   /* 0: the driver counts as we do */
	bool text;           /* draws with characters */
};

/* All of them; the first is the default, the last has no name. */
extern const struct terminal terminals[];

/* The terminal of this name, or NULL. */
const struct terminal *terminal_find(const char *name);

#endif
