/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lays out a picture: names of rows and curves, legend, panels. */
#include "plot/gnuplot/layout.h"

#include "common/base/utf8.h"
#include "common/base/util.h"
#include "plot/gnuplot/quote.h"

#include <math.h>

/* Columns of a vertical axis, left of the lines. */
#define LEFT 11

/* Names of rows ------------------------------------------------------------ */

/* Characters that the legend needs beside the names of rows. */
#define LEGEND 24

size_t
names_width(const struct picture *p, const struct terminal *t)
{
	size_t all = p->width / t->em_w;
	size_t room = all * NAMES_PCT / 100;
	size_t width = widest_row(p);

	if (room + LEGEND > all)
		room = all - LEGEND;
	return width < room ? width : room;
}

size_t
rows_margin(const struct picture *p, const struct terminal *t)
{
	return p->nrows ? names_width(p, t) + 2 : 0;
}

/* Names at ends of curves -------------------------------------------------- */

/* With more curves, a legend is easier to read. */
#define ENDS_MOST 8

/* Maximum share of the width for names. */
#define NAMES_PART 0.3

/* Lines of a picture outside the vertical axis. */
#define LINES_AROUND 9

/* Lines between two names, and the maximum that one moves to make room. */
#define APART_LEAST 0.2 /* of ends: closer ones leave names ambiguous */
#define APART       1.05
#define MOVE_MOST   0.8

/* Rounds of moving neighbours apart, enough to converge. */
#define ROUNDS 100

/* Columns between the last point and its name. */
#define GAP 1

/* Columns between the texts of two tics of the horizontal axis. */
#define TIC_GAP 2

/* Ends whose x differ by less than this part of the axis are at one x. */
#define SAME_PLACE 0.005

struct line_end {
	const struct curve *curve;
	double line;  /* of the last point, from the horizontal axis */
	double moved; /* lines from the point up to its name */
};

struct line_ends {
	struct line_end end[ENDS_MOST];
	size_t n, width; /* columns of the longest name */
	double x;        /* position of the first */
};

/* The colours of curves for text: contrast to white at least 4.5. */
static const char *const text_colours[] = {"#0072B2", "#9A6A00", "#007E5C",
                                           "#2C79A6", "#B94F00", "#A34F7D",
                                           "#000000", "#6A6A6A"};

/* Adds a curve with a name; false if its name does not fit an end. */
static bool
add_end(struct line_ends *e, const struct picture *p, const struct curve *c,
        double lines)
{
	struct plot_point last;
	double x, y;

	if (e->n == ENDS_MOST || c->style > STYLE_MODEL || !c->n)
		return false;
	last = c->point[c->n - 1];
	x = axis_position(&p->x, last.x);
	y = axis_position(&p->y, last.y);
	if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1))
		return false;
	if (e->n && fabs(e->x - x) > SAME_PLACE)
		return false;
	if (!e->n)
		e->x = x;
	e->end[e->n++] = (struct line_end){.curve = c, .line = lines * y};
	e->width = max_plain_width(e->width, c->name);
	return true;
}

static int
by_line(const void *a, const void *b)
{
	const struct line_end *x = a, *y = b;

	return (x->line > y->line) - (x->line < y->line);
}

/* Makes room for all names; false if one must move too far. */
static bool
move_apart(struct line_ends *e)
{
	qsort(e->end, e->n, sizeof *e->end, by_line);
	for (size_t i = 1; i < e->n; i++) {
		if (e->end[i].line - e->end[i - 1].line < APART_LEAST)
			return false;
	}
	/* Two overlapping names move apart, each by half. */
	for (unsigned round = 0; round < ROUNDS; round++) {
		for (size_t i = 1; i < e->n; i++) {
			struct line_end *low = &e->end[i - 1];
			struct line_end *high = &e->end[i];
			double lack = APART - (high->line + high->moved) +
			              (low->line + low->moved);

			if (lack > 0) {
				low->moved -= lack / 2;
				high->moved += lack / 2;
			}
		}
	}
	for (size_t i = 0; i < e->n; i++) {
		if (fabs(e->end[i].moved) > MOVE_MOST)
			return false;
	}
	return true;
}

/* Fills `e`; false if the names do not fit. */
static bool
find_ends(struct line_ends *e, const struct picture *p,
          const struct terminal *t)
{
	double columns = (double)p->width / t->em_w;
	double lines = (double)p->height / t->em_h - LINES_AROUND;
	double taken = 0; /* columns of the tics' texts */

	if (t->text || p->below || p->nrows)
		return false;
	for (size_t i = 0; i < p->n; i++) {
		const struct curve *c = &p->curve[i];

		if (c->name && !add_end(e, p, c, lines))
			return false;
	}
	for (size_t i = 0; i < p->x.ntics; i++) {
		size_t length = strlen(p->x.tic[i].label);

		taken += length ? (double)(length + TIC_GAP) : 0;
	}
	return e->n > 1 && (double)e->width <= NAMES_PART * columns &&
	       taken <= columns - LEFT - GAP - (double)e->width &&
	       move_apart(e);
}

/* Columns of the names, right of the axes; 0 if they do not fit. */
static size_t
line_ends_margin(const struct picture *p, const struct terminal *t)
{
	struct line_ends e = {.n = 0};

	return find_ends(&e, p, t) ? e.width + GAP : 0;
}

void
write_line_ends(const struct picture *p, const struct terminal *t)
{
	struct line_ends e = {.n = 0};

	if (!find_ends(&e, p, t))
		return;
	printf("set rmargin %zu\n", e.width + GAP);
	for (size_t i = 0; i < e.n; i++) {
		const struct curve *c = e.end[i].curve;
		struct plot_point last = c->point[c->n - 1];

		write_string(stdout, "set label ", c->name);
		write_number(" at ", last.x / p->x.unit);
		write_number(", ", last.y / p->y.unit);
		printf(" left offset %d,%.2f textcolor rgb '%s'\n", GAP,
		       e.end[i].moved,
		       c->colour == COLOUR_NONE
		           ? "#000000"
		           : text_colours[c->colour % ARRAY_LEN(text_colours)]);
	}
}

/* Legend ------------------------------------------------------------------- */

/*
 * Characters for the sample of a curve, in a terminal and in a font: gnuplot's
 * samplen of 3, and 4 around the name.
 */
#define SAMPLE      9
#define FONT_SAMPLE 7

/* Characters left and right of the axes, which limit the legend's width. */
#define MARGINS 14
#define MARGIN  5

/* Fewest characters of a name. */
#define LEAST 12

/* Eight curves, and limits; more names could not be told apart. */
#define NAMES_MOST 10

/* Lines between axis and legend: tics, the axis's name, a gap. */
#define LINES_ABOVE 3

bool
is_reference(const struct curve *c)
{
	return c->style == STYLE_MODEL && c->colour == COLOUR_NONE;
}

static size_t
smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

struct legend
legend_of(const struct picture *p, const struct terminal *t)
{
	size_t width = p->width / t->em_w;
	/* gnuplot limits the legend to the width of the axes. */
	size_t margins = p->nrows ? rows_margin(p, t) + MARGIN : MARGINS;
	size_t room =
	    margins + SAMPLE + LEAST < width ? width - margins : SAMPLE + LEAST;
	size_t most = p->height / t->em_h / (t->text ? 3 : 4);
	size_t all = 0, references = 0, widest = 0, names;
	bool list = p->nrows; /* even a single curve needs a name */
	struct legend l = {0};

	for (const struct picture *panel = p; panel; panel = panel->below) {
		for (size_t i = 0; i < panel->n; i++) {
			const struct curve *c = &panel->curve[i];

			list = list || (panel == p && c->thin);
			if (!c->name)
				continue;
			all++;
			references += is_reference(c);
			widest = max_plain_width(widest, c->name);
		}
	}
	names = smaller(all, (size_t)NAMES_MOST + 1);
	if (t->page || names < (list ? 1 : 2) || line_ends_margin(p, t))
		return l;
	l.width = smaller(widest, room - SAMPLE);
	l.columns =
	    smaller(room / (l.width + (t->text ? SAMPLE : FONT_SAMPLE)), names);
	if (!l.columns)
		l.columns = 1;
	l.rows = smaller((names + l.columns - 1) / l.columns, most);
	l.entries = all;
	if (all > smaller((size_t)NAMES_MOST, l.rows * l.columns)) {
		l.entries = smaller((size_t)NAMES_MOST, l.rows * l.columns - 1);
		l.left_out = all - l.entries;
	}
	l.references = smaller(references, l.entries);
	return l;
}

static double
legend_lines(const struct legend *l, const struct terminal *t)
{
	return (double)l->rows + LINES_ABOVE + (t->text ? 0 : 1.5);
}

void
write_legend(const struct legend *l, const struct terminal *t)
{
	if (!l->entries) {
		puts("unset key");
		return;
	}
	printf("set key at screen 0.5, character %s center bottom horizontal "
	       "Left reverse samplen 3 maxcols %zu\n",
	       t->text ? "0" : "0.5", l->columns);
	printf("set bmargin %g\n", legend_lines(l, t));
}

/* Lines ------------------------------------------------------------------- */

/* A panel without rows has the height of this many. */
#define PLAIN_ROWS 10

/* Lines between panels: tics, the axis's name, a gap. */
#define LINES_BETWEEN 4

/* Fewest lines of a panel; rows per line, and of cells, which touch. */
#define LEAST_LINES     3
#define LEAST_OF_CURVES 5
#define ROWS_MOST       2
#define CELLS_MOST      6

/* Characters right of a panel without rows. */
#define RIGHT 3

/* Rows of a panel, or the equivalent. */
static size_t
rows_of(const struct picture *panel)
{
	return panel->y.label ? PLAIN_ROWS : panel->nrows;
}

struct lines
lines_of(const struct picture *p, double above, const struct legend *l,
         const struct terminal *t)
{
	struct lines lines = {.all = (double)p->height / t->em_h};
	double rows = 0, gaps = 0;

	for (const struct picture *panel = p; panel; panel = panel->below) {
		rows += (double)rows_of(panel);
		gaps += panel->below != NULL;
	}
	/* Panels keep at least a third of a low picture. */
	lines.room = fmax(lines.all - above - legend_lines(l, t) - t->text,
	                  lines.all / 3);
	lines.between =
	    gaps > 0 ? fmin(LINES_BETWEEN, lines.room / 2 / gaps) : 0;
	lines.each = (lines.room - lines.between * gaps) / fmax(rows, 1);
	/* In a low picture, panels move up together. */
	lines.above = fmin(above, lines.all - lines.room);
	return lines;
}

double
panel_lines(const struct picture *panel, const struct lines *lines)
{
	return lines->each * (double)rows_of(panel);
}

/* Columns left and right of the title, in a text; most lines below it. */
#define BESIDE_TITLE 8
#define BELOW_TITLE  3
#define BELOW_PART   8 /* of the lines of the picture */

/* Lines of a text from the top to the axis of rows, without these. */
static double
lines_around(const struct picture *p, bool grows)
{
	size_t width = p->width - BESIDE_TITLE, n = 3;
	size_t most =
	    grows ? BELOW_TITLE : smaller(BELOW_TITLE, p->height / BELOW_PART);

	n += plain_width(p->title) > width;
	if (*p->subtitle)
		n += plain_width(p->subtitle) > width ? most : 1;
	if (p->note)
		n += plain_width(p->note) > width ? 2 : 1;
	return (double)n;
}

/* Of a line, so that it is not rounded to the one below. */
#define LINE_PART 0.25

/* Lines that a picture needs, with so many for a row; 0: the least. */
static double
lines_needed(const struct picture *p, const struct terminal *t, double each)
{
	struct legend l = legend_of(p, t);
	/* In a small text there is no line under the title. */
	double lines = legend_lines(&l, t) + (t->untitled ? 1
	                                      : t->text && p->nrows
	                                          ? lines_around(p, each > 0)
	                                      : t->text && each <= 0 ? 2
	                                      : t->text              ? 5
	                                                             : 4);

	for (; p; p = p->below) {
		double least =
		    p->y.label && !t->text ? LEAST_OF_CURVES : LEAST_LINES;
		double rows = each > 0          ? each
		              : p->y.label      ? 0
		              : p->shades.label ? 1.0 / CELLS_MOST
		              : t->text         ? 1
		                                : 1.0 / ROWS_MOST;

		lines += fmax(least, rows * (double)rows_of(p)) +
		         (p->below ? LINES_BETWEEN : 0);
	}
	return lines;
}

unsigned
least_height(const struct picture *p, const struct terminal *t)
{
	return (unsigned)ceil(lines_needed(p, t, 0) * t->em_h);
}

void
grow_picture(struct picture *p, const struct terminal *t)
{
	/* A row takes one line of text, or half as much again if drawn. */
	double lines = lines_needed(p, t, t->text ? 1 : 1.5);
	unsigned most;

	lines = fmin(ceil(lines), floor((double)t->most / t->em_h));
	if ((p->nrows || p->below) && p->height < lines * t->em_h)
		p->height = (unsigned)lines * t->em_h;
	most = t->text || t->page ? 0 : 2 * p->height;
	for (; p->height + t->em_h <= most; p->height += t->em_h) {
		struct legend l = legend_of(p, t);

		/* A drawn picture keeps three quarters of its height. */
		if (!(l.left_out && l.entries < (size_t)NAMES_MOST) &&
		    4 * l.rows * t->em_h <= p->height)
			break;
	}
}

double
title_offset(const struct picture *p, const struct terminal *t)
{
	return ((double)line_ends_margin(p, t) - (double)rows_margin(p, t)) / 2;
}

void
write_margins(const struct picture *p, const struct picture *panel,
              struct lines lines, const struct terminal *t)
{
	double top = lines.above, all = lines.all - (t->text ? 1 : 0);

	if (panel->y.label)
		printf("set lmargin %d\nset rmargin %d\n", LEFT, RIGHT);
	/* A text terminal has whole lines only, which gnuplot rounds down. */
	if (t->text)
		top -= LINE_PART;
	if (t->text && lines.each > 1)
		lines.each = floor(lines.each);
	for (; p != panel; p = p->below)
		top += panel_lines(p, &lines) + lines.between;
	printf("set tmargin at screen %.4f\nset bmargin at screen %.4f\n",
	       1 - top / all, 1 - (top + panel_lines(panel, &lines)) / all);
}
