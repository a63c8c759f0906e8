/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The terminals of gnuplot that can be chosen. */
#include "plot/gnuplot/terminal.h"

#include <string.h>

#define PIXELS                                                                 \
	.width = 800, .height = 500, .least_w = 300, .least_h = 220,           \
	.most = 10000, .em_w = 8, .em_h = 17

const struct terminal terminals[] = {
    {"svg", "svg", "font 'sans-serif,12' background rgb 'white'", PIXELS,
     .title_font = 16},
    {"png", "pngcairo", "font 'sans,10'", PIXELS, .title_font = 13},
    {"pdf", "pdfcairo", "font 'sans,9'", PIXELS, .title_font = 12,
     .per_inch = 96},
    {"dumb", "dumb", "", .width = 79, .height = 24, .least_w = 40,
     .least_h = 12, .most = 1000, .em_w = 1, .em_h = 1, .title_font = 1,
     .text = true},
    {0},
};

const struct terminal *
terminal_find(const char *name)
{
	for (const struct terminal *t = terminals; t->name; t++) {
		if (!strcmp(name, t->name))
			return t;
	}
	return NULL;
}
