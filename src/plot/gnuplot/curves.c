/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the curves of a picture: data and styles. */
#include "plot/gnuplot/curves.h"

#include "common/base/util.h"
#include "plot/gnuplot/quote.h"

#include <math.h>
#include <stdlib.h>

/* Data -------------------------------------------------------------------- */

static void
write_points(const struct curve *c)
{
	for (size_t i = 0; i < c->n; i++) {
		if (!isnan(c->point[i].x)) {
			write_number(c->point[i].x);
			putchar(' ');
			write_number(c->point[i].y);
		}
		putchar('\n');
	}
}

/* Styles ------------------------------------------------------------------ */

/* Shapes, which distinguish curves without colour. */
static const unsigned points[] = {7, 5, 9, 13, 11, 6, 4, 8, 12, 10};

/* From a filled point type to the open one. */
#define OPEN 5

/* An open circle, as a point type and as the letter O. */
#define RING      6
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
    [STYLE_LINES] = {"lines", "linewidth 2"},
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
    [STYLE_CELL] = {"filledcurves closed", "fillstyle solid 1", "lines"},
    [STYLE_LINE] = {"lines", "linewidth 1.5"},
    [STYLE_STROKE] = {"lines", "linewidth 3"},
    [STYLE_MARK] = {"points", "", .size = 0.5},
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
	                               : styles[c->style].dash;
}

/* The index of the first curve of this colour in a picture's lists. */
static size_t
first_of_colour(const struct picture *p, size_t colour)
{
	size_t number = 0;

	for (; p; p = p->below) {
		for (size_t i = 0; i < p->n; i++, number++) {
			if (p->curve[i].colour == colour)
				return number;
		}
	}
	return number;
}

/*
 * Distinguishes a curve besides its colour: its order in a list, or its number
 * if it shares a colour.
 */
static size_t
number_of(const struct picture *p, const struct picture *panel,
          const struct terminal *t, size_t i)
{
	const struct curve *c = &panel->curve[i];

	if (c->colour == COLOUR_NONE || c->style == STYLE_MODEL)
		return i;
	if (panel->nrows)
		return first_of_colour(p, c->colour);
	return c->style == STYLE_DASHED && t->text ? i : c->colour;
}

/* In a PNG, gnuplot restarts the dashes at each step. */
static bool
is_dashed_steps(const struct picture *p, const struct picture *panel,
                const struct terminal *t, size_t i)
{
	const struct curve *c = &panel->curve[i];

	return c->style == STYLE_STEPS && !t->text &&
	       dash_of(c, number_of(p, panel, t, i));
}

/* Writes the corners of steps, for a style that joins points by lines. */
static void
write_corners(const struct curve *c)
{
	struct curve corners = {0};

	for (size_t i = 0; i < c->n; i++) {
		if (i)
			curve_add(&corners, c->point[i].x, c->point[i - 1].y);
		curve_add(&corners, c->point[i].x, c->point[i].y);
	}
	write_points(&corners);
	free(corners.point);
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

static void
write_data(const struct picture *p, const struct picture *panel,
           const struct terminal *t)
{
	for (size_t i = 0; i < panel->n; i++) {
		write_block_name(p, panel, i);
		puts(" << EOD");
		if (is_dashed_steps(p, panel, t, i))
			write_corners(&panel->curve[i]);
		else
			write_points(&panel->curve[i]);
		puts("EOD");
	}
}

/* Small points do not show their colour well: the legend has larger ones. */
#define SIZE_IN_LEGEND 1

static void
write_point(const struct curve *c, const struct terminal *t, size_t number)
{
	bool ring = c->style == STYLE_RING;
	size_t shape = number + (c->style == STYLE_DASHED ? OPEN : 0);

	/* A text terminal has letters for them. */
	if (t->text)
		printf("pointtype %zu", ring ? RING_TEXT : number + 1);
	else
		printf(" pointtype %u pointsize %g",
		       ring ? RING : points[shape % ARRAY_LEN(points)],
		       c->thin ? styles[c->style].size / 2
		               : styles[c->style].size);
}

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
write_style(const struct picture *p, const struct picture *panel,
            const struct terminal *t, size_t i, size_t models)
{
	const struct curve *c = &panel->curve[i];
	bool dots = t->text && styles[c->style].in_dots;
	bool model = c->style == STYLE_MODEL;
	size_t number = number_of(p, panel, t, i);

	/* Points are transparent, so that several look darker. */
	printf("with %s linetype %zu linecolor rgb '#%s%06lX' ",
	       is_dashed_steps(p, panel, t, i) ? "lines"
	       : t->text && styles[c->style].with_text
	           ? styles[c->style].with_text
	           : styles[c->style].with,
	       dots ? 0 : number + 1,
	       c->style == STYLE_DOTS && !t->text ? "80" : "",
	       paler(curve_colour(c), t->text ? 0 : styles[c->style].white));
	if (!t->text)
		printf("dashtype %zu %s",
		       dash_of(c, model ? models + 1 : number) + 1,
		       c->thin ? "linewidth 0.7" : styles[c->style].options);
	if (!t->text && styles[c->style].white > 0)
		printf(" border linecolor rgb '%s'", curve_colour(c));
	if (styles[c->style].size > 0)
		write_point(c, t, number);
}

/* Writes the name in the legend, or no title. */
static void
write_name(const struct picture *p, const struct terminal *t, size_t width,
           bool named, const char *name)
{
	char *plain, *text;

	if (!named) {
		fputs(" notitle", stdout);
		return;
	}
	plain = legend_name(p, name, width);
	text = xasprintf("%s%s", t->text ? " " : "", plain);
	fputs(" title ", stdout);
	write_string(stdout, text);
	free(text);
	free(plain);
}

/* State while curves of one command are written. */
struct next {
	const struct picture *p;
	const struct terminal *terminal;
	const struct legend *legend;
	size_t models, named, references, all;
};

static void
write_comma(struct next *s)
{
	printf("%s \\\n    ", s->all++ ? "," : "");
}

/* Writes a curve, or with `only_name` just its legend. */
static void
write_curve(const struct picture *panel, size_t i, bool only_name,
            struct next *s)
{
	const struct curve *c = &panel->curve[i];
	const struct legend *l = s->legend;
	bool named = false; /* the legend has room for its name */

	if (c->name)
		named = is_reference(c)
		            ? s->references++ < l->references
		            : s->named++ < l->entries - l->references;
	/* A legend entry for small points, which are drawn without a name. */
	if (named && c->style == STYLE_DOTS && !s->terminal->text) {
		size_t shape = number_of(s->p, panel, s->terminal, i);

		write_comma(s);
		printf("NaN with points linecolor rgb '%s' pointtype %u "
		       "pointsize %d",
		       curve_colour(c), points[shape % ARRAY_LEN(points)],
		       SIZE_IN_LEGEND);
		write_name(s->p, s->terminal, l->width, true, c->name);
		named = false;
	}
	if (only_name && !named)
		return;
	write_comma(s);
	if (!only_name && c->n) {
		write_block_name(s->p, panel, i);
		printf(" using ($1/%g):", panel->x.unit);
		/* In a text terminal, a row is one line. */
		if (!panel->nrows)
			printf("($2/%g) ", panel->y.unit);
		else
			fputs(s->terminal->text ? "(floor($2+0.5)) " : "2 ",
			      stdout);
	} else {
		fputs("NaN ", stdout);
	}
	write_style(s->p, panel, s->terminal, i, s->models);
	write_name(s->p, s->terminal, s->legend->width, named, c->name);
	s->models += c->style == STYLE_MODEL;
}

static void
write_left_out(const struct terminal *t, const struct legend *l)
{
	if (l->left_out)
		printf(", \\\n    -1 with dots linecolor rgb '#ffffff' "
		       "title '%sand %zu more'",
		       t->text ? " " : "", l->left_out);
}

void
write_curves(const struct picture *p, const struct picture *panel,
             const struct terminal *t, const struct legend *l)
{
	struct next next = {.p = p, .terminal = t, .legend = l};

	write_data(p, panel, t);
	fputs("plot", stdout);
	for (size_t i = 0; i < panel->n; i++)
		write_curve(panel, i, false, &next);
	/* A line at -1 is invisible. */
	if (!panel->n)
		fputs(" -1 notitle", stdout);
	write_left_out(t, l);
	putchar('\n');
}

void
write_names(const struct picture *p, const struct terminal *t,
            const struct legend *l)
{
	struct next next = {.p = p, .terminal = t, .legend = l};

	fputs("plot", stdout);
	for (; p; p = p->below) {
		for (size_t i = 0; i < p->n; i++)
			write_curve(p, i, true, &next);
	}
	write_left_out(t, l);
	putchar('\n');
}
