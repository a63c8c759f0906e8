/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Divides a picture into its panels. */
#include "plot/gnuplot/panels.h"

#include "plot/gnuplot/line_ends.h"
#include "plot/gnuplot/row_names.h"

#include <math.h>
#include <stdio.h>

/* Lines besides rows, with a legend of LINES_OF_LEGEND. */
#define LINES_BESIDE    12
#define LINES_OF_LEGEND 2

/* A panel without rows has the height of this many. */
#define PLAIN_ROWS 10

/* Lines between panels: tics, the axis's name, a gap. */
#define LINES_BETWEEN 4

/* Fewest lines of a panel, without the gap. */
#define LEAST_LINES 3

/* Characters left and right of a panel without rows. */
#define LEFT  11
#define RIGHT 3

/* Shares of the width: end of the left panels; edges of the right one. */
#define LEFT_TO     0.61
#define BESIDE_FROM 0.72
#define BESIDE_TO   0.975

/* Rows of a panel, or the equivalent. */
static size_t
rows_of(const struct picture *panel)
{
	if (panel->beside)
		return 0;
	return panel->y.label ? PLAIN_ROWS : panel->nrows;
}

static size_t
all_rows(const struct picture *p)
{
	size_t n = 0;

	for (; p; p = p->below)
		n += rows_of(p);
	return n;
}

/* Number of gaps between panels. */
static size_t
gaps(const struct picture *p)
{
	size_t n = 0;

	for (; p->below; p = p->below)
		n += !p->below->beside;
	return n;
}

/* Lines outside the rows. */
static size_t
lines_beside(const struct picture *p, const struct terminal *t)
{
	size_t legend = legend_of(p, t).rows;
	size_t more = legend > LINES_OF_LEGEND ? legend - LINES_OF_LEGEND : 0;

	return LINES_BESIDE + more + gaps(p) * LINES_BETWEEN;
}

void
grow_for_panels(struct picture *p, const struct terminal *t)
{
	size_t rows = all_rows(p);
	/* A row takes one line of text, or half as much again if drawn. */
	size_t lines = lines_beside(p, t) + (t->text ? rows : rows * 3 / 2);

	if (lines > t->most / t->em_h)
		lines = t->most / t->em_h;
	if ((p->nrows || p->below) && p->height < lines * t->em_h)
		p->height = (unsigned)(lines * t->em_h);
}

unsigned
least_height(const struct picture *p, const struct terminal *t)
{
	size_t panels = gaps(p) + 1;
	size_t lines =
	    LINES_BESIDE + gaps(p) * LINES_BETWEEN + panels * LEAST_LINES;

	return p->below ? (unsigned)(lines * t->em_h) : 0;
}

size_t
rows_per_line(const struct picture *p, const struct terminal *t)
{
	size_t lines = p->height / t->em_h;
	size_t beside = lines_beside(p, t);

	lines = lines > beside ? lines - beside : 1;
	return (all_rows(p) + lines - 1) / lines;
}

/* Lines that title and legend leave, at least a third of the picture. */
static double
lines_left(const struct picture *p, double above, const struct legend *l,
           const struct terminal *t)
{
	double lines = (double)p->height / t->em_h;

	return fmax(lines - above - legend_lines(l, t), lines / 3);
}

static double
lines_between(const struct picture *p, double room)
{
	return fmin(LINES_BETWEEN, room / 2 / (double)gaps(p));
}

double
panel_lines(const struct picture *p, const struct picture *panel, double above,
            const struct legend *l, const struct terminal *t)
{
	double room = lines_left(p, above, l, t);

	if (panel->beside)
		return room;
	room -= lines_between(p, room) * (double)gaps(p);
	return room * PLAIN_ROWS / (double)all_rows(p);
}

static bool
has_beside(const struct picture *p)
{
	while (p->below)
		p = p->below;
	return p->beside;
}

size_t
panel_columns(const struct picture *p, const struct picture *panel,
              const struct terminal *t)
{
	double part = panel->beside ? 1 - LEFT_TO : has_beside(p) ? LEFT_TO : 1;

	return (size_t)(part * p->width / t->em_w);
}

double
title_offset(const struct picture *p, const struct terminal *t)
{
	double columns = (double)p->width / t->em_w;

	if (has_beside(p))
		return columns / 2 - (LEFT + LEFT_TO * columns) / 2;
	return ((double)line_ends_margin(p, t) - (double)rows_margin(p, t)) / 2;
}

/* Left and right edge of a panel. */
static void
write_sides(const struct picture *p, const struct picture *panel)
{
	if (panel->beside)
		printf("set lmargin at screen %g\nset rmargin at screen %g\n",
		       BESIDE_FROM, BESIDE_TO);
	else if (has_beside(p))
		printf("set lmargin %d\nset rmargin at screen %g\n", LEFT,
		       LEFT_TO);
	else if (panel->y.label)
		printf("set lmargin %d\nset rmargin %d\n", LEFT, RIGHT);
}

/*
 * Panels share these lines by their rows; in a low picture they keep a third of
 * it and move together.
 */
void
write_margins(const struct picture *p, const struct picture *panel,
              double above, const struct legend *l, const struct terminal *t)
{
	double lines = (double)p->height / t->em_h;
	double room = lines_left(p, above, l, t);
	double between = lines_between(p, room);
	double each = (room - between * (double)gaps(p)) / (double)all_rows(p);
	double top = fmin(above, lines - room);

	write_sides(p, panel);
	if (panel->beside) {
		printf("set tmargin at screen %.4f\n", 1 - top / lines);
		printf("set bmargin at screen %.4f\n",
		       1 - (top + room) / lines);
		return;
	}
	/* A text terminal has whole lines only. */
	if (t->text && each > 1)
		each = floor(each);
	for (; p && p != panel; p = p->below)
		top += each * (double)rows_of(p) + between;
	printf("set tmargin at screen %.4f\n", 1 - top / lines);
	top += each * (double)rows_of(panel);
	printf("set bmargin at screen %.4f\n", 1 - top / lines);
}
