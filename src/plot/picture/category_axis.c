/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds rows with names in place of a vertical axis. */
#include "plot/picture/category_axis.h"

#include "common/base/list.h"
#include "common/base/utf8.h"
#include "common/base/util.h"

#include <math.h>
#include <stdlib.h>

/* Half the height of a bar; a row is 1 high. */
#define HALF 0.3

/* The same for a cell, which fills its row but stays out of the next. */
#define CELL_HALF 0.4999

size_t
add_row(struct picture *p, char *name)
{
	p->row = xreallocarray(p->row, p->nrows + 1, sizeof *p->row);
	p->row[p->nrows] = name;
	return p->nrows++;
}

/* Rows are at 1, 2 and so on, downwards. */
static void
add_corner(struct curve *c, size_t row, double x, double height)
{
	curve_add(c, x, (double)row + 1 + height);
}

void
add_bar(struct curve *c, size_t row, double from, double to)
{
	add_corner(c, row, from, -HALF);
	add_corner(c, row, to, -HALF);
	add_corner(c, row, to, HALF);
	add_corner(c, row, from, HALF);
	curve_add(c, NAN, 0);
}

void
add_line(struct curve *c, size_t row, double from, double to)
{
	add_corner(c, row, from, 0);
	add_corner(c, row, to, 0);
	curve_add(c, NAN, 0);
}

/* A line across the row at `at`, `half` above and below its middle. */
static void
add_across(struct curve *c, size_t row, double at, double half)
{
	add_corner(c, row, at, -half);
	add_corner(c, row, at, half);
	curve_add(c, NAN, 0);
}

void
add_stroke(struct curve *c, size_t row, double at)
{
	add_across(c, row, at, HALF);
}

void
add_end(struct curve *c, size_t row, double at)
{
	add_across(c, row, at, HALF / 2);
}

void
add_cross_line(struct curve *c, size_t row, double at)
{
	add_across(c, row, at, 0.5);
}

void
add_cell(struct curve *c, size_t row, double x)
{
	add_corner(c, row, x - 0.5, -CELL_HALF);
	add_corner(c, row, x + 0.5, -CELL_HALF);
	add_corner(c, row, x + 0.5, CELL_HALF);
	add_corner(c, row, x - 0.5, CELL_HALF);
	curve_add(c, NAN, 0);
}

static void
add_text(struct picture *p, struct remark remark)
{
	array_push(p->remark, p->nremarks, remark);
}

void
add_number(struct picture *p, size_t row, double x, char *text, bool dark)
{
	add_text(p, (struct remark){row, x, text, true, dark});
}

void
add_remark(struct picture *p, size_t row, double at, char *text)
{
	add_text(p, (struct remark){row, at, text, false, false});
}

size_t
widest_row(const struct picture *p)
{
	size_t widest = 0;

	for (; p; p = p->below) {
		for (size_t i = 0; i < p->nrows; i++)
			widest = max_plain_width(widest, p->row[i]);
	}
	return widest;
}

unsigned
room_beside(const struct picture *p)
{
	size_t names = widest_row(p) / TIC_WIDTH;
	size_t least = p->room * (100 - NAMES_PCT) / 100;

	if (names + least > p->room)
		return least ? (unsigned)least : 1;
	return p->room - (unsigned)names;
}

double
remarks_part(const struct picture *panel, unsigned room)
{
	size_t widest = 0;

	for (size_t i = 0; i < panel->nremarks; i++)
		widest = max_plain_width(widest, panel->remark[i].text);
	return fmin((double)(widest + 1) / TIC_WIDTH / room, 0.5);
}
