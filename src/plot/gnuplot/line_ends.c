/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places names of curves beside their last points. */
#include "plot/gnuplot/line_ends.h"

#include "common/base/utf8.h"
#include "plot/gnuplot/colours.h"
#include "plot/gnuplot/quote.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* With more curves, a legend is easier to read. */
#define ENDS_MOST 8

/* Maximum share of the width for names. */
#define NAMES_PART 0.3

/* Lines of a picture outside the vertical axis. */
#define LINES_BESIDE 9

/* Lines between two names, and the maximum that one moves to make room. */
#define APART_LEAST 0.2 /* of ends: closer ones leave names ambiguous */
#define APART       1.05
#define MOVE_MOST   0.8

/* Rounds of moving neighbours apart, enough to converge. */
#define ROUNDS 100

/* Columns between the last point and its name; columns of the vertical axis. */
#define GAP  1
#define LEFT 11

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
};

static bool
is_line(const struct curve *c)
{
	return c->style == STYLE_STEPS || c->style == STYLE_POINTS ||
	       c->style == STYLE_DASHED || c->style == STYLE_LINES ||
	       c->style == STYLE_MODEL;
}

static bool
is_shown(const struct axis *a, double value)
{
	double at = axis_position(a, value);

	return at >= 0 && at <= 1;
}

/* Adds a curve with a name; false if its name does not fit an end. */
static bool
add_end(struct line_ends *e, const struct picture *p, const struct curve *c,
        double lines)
{
	struct plot_point last;

	if (e->n == ENDS_MOST || !is_line(c) || !c->n)
		return false;
	last = c->point[c->n - 1];
	if (!is_shown(&p->x, last.x) || !is_shown(&p->y, last.y))
		return false;
	if (e->n) {
		const struct curve *first = e->end[0].curve;
		double x = first->point[first->n - 1].x;

		if (fabs(axis_position(&p->x, x) -
		         axis_position(&p->x, last.x)) > SAME_PLACE)
			return false;
	}
	e->end[e->n++] = (struct line_end){
	    .curve = c, .line = lines * axis_position(&p->y, last.y)};
	e->width = max_plain_width(e->width, c->name);
	return true;
}

static int
by_line(const void *a, const void *b)
{
	const struct line_end *x = a, *y = b;

	return (x->line > y->line) - (x->line < y->line);
}

/* Moves two overlapping names apart, each by half. */
static void
part(struct line_end *low, struct line_end *high)
{
	double lack =
	    APART - (high->line + high->moved) + (low->line + low->moved);

	if (lack > 0) {
		low->moved -= lack / 2;
		high->moved += lack / 2;
	}
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
	for (unsigned round = 0; round < ROUNDS; round++) {
		for (size_t i = 1; i < e->n; i++)
			part(&e->end[i - 1], &e->end[i]);
	}
	for (size_t i = 0; i < e->n; i++) {
		if (fabs(e->end[i].moved) > MOVE_MOST)
			return false;
	}
	return true;
}

/* Whether the tics' texts fit into `columns`. */
static bool
tics_fit(const struct axis *a, double columns)
{
	double taken = 0;

	for (size_t i = 0; i < a->ntics; i++) {
		size_t length = strlen(a->tic[i].label);

		if (length)
			taken += (double)(length + TIC_GAP);
	}
	return taken <= columns;
}

/* Fills `e`; false if the names do not fit. */
static bool
find_ends(struct line_ends *e, const struct picture *p,
          const struct terminal *t)
{
	double columns = (double)p->width / t->em_w;
	double lines = (double)p->height / t->em_h - LINES_BESIDE;

	if (t->text || t->page || p->below || p->nrows)
		return false;
	for (size_t i = 0; i < p->n; i++) {
		const struct curve *c = &p->curve[i];

		if (c->name && !add_end(e, p, c, lines))
			return false;
	}
	return e->n > 1 && (double)e->width <= NAMES_PART * columns &&
	       tics_fit(&p->x, columns - LEFT - GAP - (double)e->width) &&
	       move_apart(e);
}

size_t
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

		fputs("set label ", stdout);
		write_string(stdout, c->name);
		fputs(" at ", stdout);
		write_number(last.x / p->x.unit);
		fputs(", ", stdout);
		write_number(last.y / p->y.unit);
		printf(" left offset %d,%.2f textcolor rgb '%s'\n", GAP,
		       e.end[i].moved, curve_text_colour(c));
	}
}
