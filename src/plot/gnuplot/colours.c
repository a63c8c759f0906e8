/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Colours that people with all kinds of colour vision can tell apart. */
#include "plot/gnuplot/colours.h"

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
