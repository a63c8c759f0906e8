/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The gnuplot terminals of -T, and the colours of curves. */
#include "plot/gnuplot/terminal.h"

#include <string.h>

#define PIXELS                                                                 \
	.width = 800, .height = 500, .least_w = 300, .least_h = 220,           \
	.most = 10000, .em_w = 8, .em_h = 17, .scale = 1

/* A column of a paper: 84 mm at 96 dots per inch. */
#define COLUMN                                                                 \
	.width = 317, .height = 212, .least_w = 200, .least_h = 150,           \
	.most = 2000, .em_w = 5, .em_h = 12, .scale = 1

const struct terminal terminals[] = {
    {"svg", "svg", "svg", "sans-serif", 12, "background rgb 'white'", PIXELS},
    {"html", "svg", "html", "sans-serif", 12, "background rgb 'white'", PIXELS,
     .page = true},
    {"png", "pngcairo", "png", "sans", 10, "", PIXELS},
    {"pdf", "pdfcairo", "pdf", "sans", 9, "", PIXELS, .per_inch = 96},
    {"paper", "pdfcairo", "pdf", "sans", 7, "linewidth 0.6 pointscale 0.6",
     COLUMN, .per_inch = 96, .untitled = true},
    {"dumb", "dumb", "txt", NULL, 1, "", .width = 79, .height = 24,
     .least_w = 40, .least_h = 12, .most = 1000, .em_w = 1, .em_h = 1,
     .scale = 1, .text = true},
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

/* Rounds up, so that no text overlaps. */
static unsigned
scaled(unsigned length, unsigned size, unsigned was)
{
	return (length * size + was - 1) / was;
}

void
terminal_set_font(struct terminal *t, const char *name, unsigned size)
{
	if (name)
		t->font = name;
	if (!size)
		return;
	t->em_w = scaled(t->em_w, size, t->font_size);
	t->em_h = scaled(t->em_h, size, t->font_size);
	t->font_size = size;
}

unsigned
terminal_title_size(const struct terminal *t)
{
	return t->untitled || t->text ? t->font_size : t->font_size * 4 / 3;
}

/* Colours ------------------------------------------------------------------ */

/*
 * Okabe and Ito's colours for all kinds of colour vision, without yellow, which
 * is faint on white; neighbours differ also for deuteranopes. Dashes and points
 * distinguish curves without colour.
 */
static const char *const colours[COLOURS] = {"#0072B2", "#E69F00", "#009E73",
                                             "#56B4E9", "#D55E00", "#CC79A7",
                                             "#000000"};

/* The same for text: contrast to white at least 4.5. */
static const char *const text_colours[COLOURS] = {
    "#0072B2", "#9A6A00", "#007E5C", "#2C79A6",
    "#B94F00", "#A34F7D", "#000000"};

/* Viridis from light to dark, which also orders values without colour. */
static const char *const ramp[COLOUR_STEPS] = {"#fde725", "#90d743", "#35b779",
                                               "#21918c", "#31688e", "#443983",
                                               "#440154"};

const char *
curve_colour(const struct curve *c)
{
	if (c->style == STYLE_CELL)
		return ramp[c->colour % COLOUR_STEPS];
	return c->colour == COLOUR_NONE ? "#000000"
	                                : colours[c->colour % COLOURS];
}

const char *
curve_text_colour(const struct curve *c)
{
	return c->colour == COLOUR_NONE ? "#000000"
	                                : text_colours[c->colour % COLOURS];
}
