/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the curves of a picture: data and styles. */
#include "plot/gnuplot/curves.h"

#include "common/base/utf8.h"
#include "common/base/util.h"
#include "plot/gnuplot/quote.h"

#include <math.h>

/* Colours ------------------------------------------------------------------ */

/*
 * Okabe and Ito's colours for all kinds of colour vision, without yellow, which
 * is faint on white; neighbours differ also for deuteranopes. Dashes and points
 * distinguish curves without colour.
 */
#define COLOURS 8

static const char *const colours[COLOURS] = {"#0072B2", "#E69F00", "#009E73",
                                             "#56B4E9", "#D55E00", "#CC79A7",
                                             "#000000", "#8A8A8A"};

/* Signs of lines in a text terminal without colour, dots among them. */
#define SIGNS 8

const char *
curve_colour(const struct curve *c)
{
	return c->colour == COLOUR_NONE ? "#000000"
	                                : colours[c->colour % COLOURS];
}

/* Data -------------------------------------------------------------------- */

static void
write_points(const struct curve *c)
{
	for (size_t i = 0; i < c->n; i++) {
		if (!isnan(c->point[i].x) && !isnan(c->point[i].y)) {
			write_number("", c->point[i].x);
			write_number(" ", c->point[i].y);
			if (c->style == STYLE_CELL)
				write_number(" ", c->point[i].z);
		}
		putchar('\n');
	}
}

void
write_block_name(const struct picture *p, const struct picture *panel, size_t i)
{
	size_t number = 0;

	for (; p != panel; p = p->below)
		number++;
	printf("$curve%zu", i + 1);
	if (number)
		printf("_%zu", number + 1);
}

/* Styles ------------------------------------------------------------------ */

/* Shapes, which distinguish curves without colour. */
static const unsigned points[] = {7, 5, 9, 13, 11, 6, 4, 8, 12, 10};

/* From a filled point type to the open one. */
#define OPEN 5

/* An open circle, as a point type and as the letter O. */
#define RING      6
#define CROSS     2
#define RING_TEXT 15

#define DASHES 5

static const struct {
	const char *with, *options; /* gnuplot style */
	const char *with_text; /* the same in a text terminal, if it differs */
	bool dashed;           /* each curve has other dashes */
	bool in_dots;          /* not a curve of its own in a text terminal */
	double size;           /* of points, of which each curve has others */
	unsigned dash;         /* dash type, unless dashed */
	double white;          /* part of white in an area's colour */
} styles[] = {
    [STYLE_STEPS] = {"steps", "linewidth 2", .dashed = true},
    [STYLE_POINTS] = {"linespoints", "linewidth 2", .size = 0.8},
    [STYLE_DASHED] = {"linespoints", "linewidth 1.5", .size = 0.8, .dash = 1},
    [STYLE_LINES] = {.with = "lines", .options = "linewidth 2"},
    [STYLE_MODEL] = {"lines", "linewidth 2", .dashed = true},
    [STYLE_BAND] = {"filledcurves closed",
                    "fillstyle transparent solid 0.15 noborder", "dots",
                    .in_dots = true},
    [STYLE_FLOOR] = {"lines", "linewidth 1", "dots", .in_dots = true,
                     .dash = 2},
    [STYLE_BAR] = {"filledcurves closed", "fillstyle solid 1", "lines",
                   .white = 0.3},
    [STYLE_PALE] = {"filledcurves closed", "fillstyle solid 1", "lines",
                    .white = 0.85},
    [STYLE_LINE] = {.with = "lines", .options = "linewidth 1.5"},
    [STYLE_STROKE] = {.with = "lines", .options = "linewidth 3"},
    [STYLE_MARK] = {"points", "", .size = 0.7},
    [STYLE_CROSS] = {"points", "linewidth 2", .size = 1.4},
    [STYLE_RING] = {"points", "linewidth 1.5", .size = 1.8},
    [STYLE_DOTS] = {"points", "", .size = 0.4},
};

/*
 * Lines are solid while colours last, so that steps are visible; later ones,
 * which lie close together, are dashed.
 */
static size_t
dash_of(const struct curve *c, size_t number)
{
	if (c->style == STYLE_LINES)
		return number / COLOURS;
	return styles[c->style].dashed ? number % DASHES
	                               : styles[c->style].dash + c->dash;
}

/* State while curves of one command are written. */
struct drawing {
	const struct picture *p, *panel;
	const struct terminal *t;
	const struct legend *legend;
	size_t models, named, references, all;
};

/*
 * Distinguishes a curve besides its colour: its order in a list, or its number
 * if it shares a colour.
 */
static size_t
number_of(const struct drawing *d, size_t i)
{
	const struct curve *c = &d->panel->curve[i];
	size_t number = 0;

	if (c->colour == COLOUR_NONE || c->style == STYLE_MODEL)
		return i;
	if (!d->panel->nrows)
		return c->style == STYLE_DASHED && d->t->text ? i : c->colour;
	/* The first of its colour in all lists. */
	for (const struct picture *p = d->p; p; p = p->below) {
		for (size_t k = 0; k < p->n; k++, number++) {
			if (p->curve[k].colour == c->colour)
				return number;
		}
	}
	return number;
}

/* In a PNG, gnuplot restarts the dashes at each step. */
static bool
is_dashed_steps(const struct drawing *d, size_t i)
{
	const struct curve *c = &d->panel->curve[i];

	return c->style == STYLE_STEPS && !d->t->text &&
	       dash_of(c, number_of(d, i));
}

/* Small points do not show their colour well: the legend has larger ones. */
#define SIZE_IN_LEGEND 1

/*
 * A colour mixed with white, and opaque: over another area it looks as in the
 * legend.
 */
static unsigned long
paler(const char *colour, double white)
{
	unsigned long rgb = strtoul(colour + 1, NULL, 16), mixed = 0;

	for (unsigned shift = 0; shift < 24; shift += 8) {
		double part = (double)(rgb >> shift & 0xff);

		mixed |= (unsigned long)lround(part + white * (255 - part))
		         << shift;
	}
	return mixed;
}

static void
write_style(const struct drawing *d, size_t i)
{
	const struct curve *c = &d->panel->curve[i];
	bool text = d->t->text, ring = c->style == STYLE_RING;
	size_t number = number_of(d, i);
	bool line = c->style == STYLE_STEPS || c->style == STYLE_LINES ||
	            c->style == STYLE_MODEL;
	/* Of a line with one point, nothing would be seen. */
	bool more = line && c->n == 1;
	bool signs = text && line && !*d->t->options;
	size_t shape = number + (c->style == STYLE_DASHED ? OPEN : 0) + c->dash;

	/* Points are transparent, so that several look darker. */
	printf("with %s linetype %zu linecolor rgb '#%s%06lX' ",
	       more                                 ? "points"
	       : is_dashed_steps(d, i)              ? "lines"
	       : text && styles[c->style].with_text ? styles[c->style].with_text
	                                            : styles[c->style].with,
	       text && styles[c->style].in_dots ? 0
	       : signs                          ? (number + 1) % SIGNS
	                                        : number + 1,
	       c->style == STYLE_DOTS && !text ? "80" : "",
	       paler(curve_colour(c), text ? 0.4 : styles[c->style].white));
	if (!text)
		printf("dashtype %zu %s",
		       1 + dash_of(c, c->style == STYLE_MODEL ? d->models + 1
		                                              : number),
		       c->thin ? "linewidth 0.7" : styles[c->style].options);
	if (!text && styles[c->style].white > 0)
		printf(" border linecolor rgb '%s'", curve_colour(c));
	if (styles[c->style].size <= 0 && !more)
		return;
	/* A text terminal has letters for them. */
	if (text)
		printf("pointtype %zu", ring ? RING_TEXT : number + 1);
	else
		printf(" pointtype %u pointsize %g",
		       ring ? RING
		       : c->style == STYLE_CROSS
		           ? CROSS
		           : points[shape % ARRAY_LEN(points)],
		       more      ? 0.8
		       : c->thin ? styles[c->style].size / 2
		                 : styles[c->style].size);
}

/* Writes the name in the legend. */
static void
write_name(const struct drawing *d, const char *name)
{
	char **all = NULL, *plain, *text;
	size_t n = 0;

	for (const struct picture *p = d->p; p; p = p->below) {
		for (size_t i = 0; i < p->n; i++)
			array_push(all, n, p->curve[i].name);
	}
	plain = plain_name(name, all, n, d->legend->width);
	text = xasprintf("%s%s", d->t->text ? " " : "", plain);
	write_string(stdout, " title ", text);
	free(all);
	free(text);
	free(plain);
}

static void
write_comma(struct drawing *d)
{
	printf("%s \\\n    ", d->all++ ? "," : "");
}

/* Squares, with a border that closes the gaps; a text has only numbers. */
#define CELLS                                                                  \
	" using 1:2:($1-.5):($1+.5):($2-.5):($2+.5):3 with boxxyerror "        \
	"linecolor palette fillstyle solid 1 border notitle"

/* Writes a curve, or with `only_name` just its legend. */
static void
write_curve(struct drawing *d, size_t i, bool only_name)
{
	const struct picture *panel = d->panel;
	const struct curve *c = &panel->curve[i];
	const struct legend *l = d->legend;
	bool named = false; /* the legend has room for its name */

	if (c->name)
		named = is_reference(c)
		            ? d->references++ < l->references
		            : d->named++ < l->entries - l->references;
	/* A legend entry for small points, which are drawn without a name. */
	if (named && c->style == STYLE_DOTS && !d->t->text) {
		write_comma(d);
		printf("NaN with points linecolor rgb '%s' pointtype %u "
		       "pointsize %d",
		       curve_colour(c),
		       points[number_of(d, i) % ARRAY_LEN(points)],
		       SIZE_IN_LEGEND);
		write_name(d, c->name);
		named = false;
	}
	if (only_name && !named)
		return;
	write_comma(d);
	if (c->style == STYLE_CELL) {
		write_block_name(d->p, panel, i);
		fputs(d->t->text ? " with dots linecolor 0 notitle" : CELLS,
		      stdout);
		return;
	}
	if (!only_name && c->n) {
		write_block_name(d->p, panel, i);
		printf(" using ($1/%g):", panel->x.unit);
		/* In a text terminal, a row is one line. */
		if (!panel->nrows)
			printf("($2/%g) ", panel->y.unit);
		else
			fputs(d->t->text ? "(floor($2+0.5)) " : "2 ", stdout);
	} else {
		fputs("NaN ", stdout);
	}
	write_style(d, i);
	if (named)
		write_name(d, c->name);
	else
		fputs(" notitle", stdout);
	d->models += c->style == STYLE_MODEL;
}

static void
write_left_out(const struct drawing *d)
{
	if (d->legend->left_out)
		printf(", \\\n    -1 with dots linecolor rgb '#ffffff' "
		       "title '%sand %zu more'",
		       d->t->text ? " " : "", d->legend->left_out);
	putchar('\n');
}

void
write_curves(const struct picture *p, const struct picture *panel,
             const struct terminal *t, const struct legend *l)
{
	struct drawing d = {p, panel, t, l, .models = 0};

	for (size_t i = 0; i < panel->n; i++) {
		struct curve corners = {0};

		write_block_name(p, panel, i);
		puts(" << EOD");
		if (is_dashed_steps(&d, i))
			curve_corners(&corners, &panel->curve[i]);
		write_points(corners.n ? &corners : &panel->curve[i]);
		puts("EOD");
		free(corners.point);
	}
	fputs("plot", stdout);
	for (size_t i = 0; i < panel->n; i++)
		write_curve(&d, i, false);
	/* A line at -1 is invisible. */
	if (!panel->n)
		fputs(" -1 notitle", stdout);
	write_left_out(&d);
}

void
write_names(const struct picture *p, const struct terminal *t,
            const struct legend *l)
{
	struct drawing d = {p, p, t, l, .models = 0};

	fputs("plot", stdout);
	for (; d.panel; d.panel = d.panel->below) {
		for (size_t i = 0; i < d.panel->n; i++)
			write_curve(&d, i, true);
	}
	write_left_out(&d);
}
