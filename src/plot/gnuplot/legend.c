/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lays out the legend below a picture. */
#include "plot/gnuplot/legend.h"

#include "common/base/utf8.h"
#include "common/base/util.h"
#include "plot/gnuplot/line_ends.h"
#include "plot/gnuplot/quote.h"
#include "plot/gnuplot/row_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Characters for the sample of a curve. */
#define SAMPLE 9

/* Characters left and right of the axes, which limit the legend's width. */
#define MARGINS 14
#define MARGIN  5

/* Fewest characters of a name. */
#define LEAST 12

/* More names could not be told apart. */
#define NAMES_MOST 8

/* Shades are in order, and marks need room, too. */
#define NAMES_OF_SHADES (COLOUR_STEPS + 3)

/* Lines between axis and legend: tics, the axis's name, a gap. */
#define LINES_ABOVE 3

static size_t
widest_name(const struct picture *p)
{
	size_t widest = 0;

	for (; p; p = p->below) {
		for (size_t i = 0; i < p->n; i++) {
			if (p->curve[i].name)
				widest =
				    max_plain_width(widest, p->curve[i].name);
		}
	}
	return widest;
}

bool
is_reference(const struct curve *c)
{
	return c->style == STYLE_MODEL && c->colour == COLOUR_NONE;
}

static size_t
count_names(const struct picture *p, bool references)
{
	size_t n = 0;

	for (; p; p = p->below) {
		for (size_t i = 0; i < p->n; i++)
			n += p->curve[i].name &&
			     (!references || is_reference(&p->curve[i]));
	}
	return n;
}

/* The number of a name, from 1; *twice: another name has the same cut. */
static size_t
number_of(const struct picture *p, const char *name, const char *cut,
          size_t width, bool *twice)
{
	size_t number = 0, found = 0;

	for (; p; p = p->below) {
		for (size_t i = 0; i < p->n; i++) {
			const char *other = p->curve[i].name;
			char *plain;

			if (!other)
				continue;
			number++;
			if (other == name)
				found = number;
			plain = plain_text(other, width);
			if (other != name && !strcmp(plain, cut))
				*twice = true;
			free(plain);
		}
	}
	return found;
}

char *
legend_name(const struct picture *p, const char *name, size_t width)
{
	char *cut = plain_text(name, width), *numbered, *text;
	bool twice = false;
	size_t number;

	if (!width || plain_width(name) <= width)
		return cut;
	number = number_of(p, name, cut, width, &twice);
	if (!twice)
		return cut;
	free(cut);
	numbered = xasprintf("%zu: %s", number, name);
	text = plain_text(numbered, width);
	free(numbered);
	return text;
}

/* A single curve needs no name, unless it is in a list or has several runs. */
static size_t
least_names(const struct picture *p)
{
	if (p->nrows)
		return 1;
	for (size_t i = 0; i < p->n; i++) {
		if (p->curve[i].thin)
			return 1;
	}
	return 2;
}

static size_t
smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* gnuplot limits the legend to the width of the axes. */
static size_t
room_of(const struct picture *p, const struct terminal *t)
{
	size_t width = p->width / t->em_w;
	size_t margins = p->nrows ? rows_margin(p, t) + MARGIN : MARGINS;

	return margins + SAMPLE + LEAST < width ? width - margins
	                                        : SAMPLE + LEAST;
}

static size_t
names_most(const struct picture *p)
{
	return p->n && p->curve[0].style == STYLE_CELL ? NAMES_OF_SHADES
	                                               : NAMES_MOST;
}

struct legend
legend_of(const struct picture *p, const struct terminal *t)
{
	size_t room = room_of(p, t);
	size_t most = p->height / t->em_h / (t->text ? 3 : 4);
	size_t all = count_names(p, false);
	size_t names = smaller(all, names_most(p) + 1);
	struct legend l = {0};

	if (names < least_names(p) || line_ends_margin(p, t))
		return l;
	l.width = smaller(widest_name(p), room - SAMPLE);
	l.columns = smaller(room / (l.width + SAMPLE), names);
	if (!l.columns)
		l.columns = 1;
	l.rows = smaller((names + l.columns - 1) / l.columns, most);
	l.entries = all;
	if (all > smaller(names_most(p), l.rows * l.columns)) {
		l.entries = smaller(names_most(p), l.rows * l.columns - 1);
		l.left_out = all - l.entries;
	}
	l.references = smaller(count_names(p, true), l.entries);
	return l;
}

/* Whether it leaves less than three quarters of a drawn picture. */
static bool
is_long(struct legend l, const struct picture *p, const struct terminal *t)
{
	return (l.left_out && l.entries < names_most(p)) ||
	       (!t->text && 4 * l.rows * t->em_h > p->height);
}

void
grow_for_legend(struct picture *p, const struct terminal *t)
{
	unsigned most = 2 * p->height;

	while (p->height + t->em_h <= most && is_long(legend_of(p, t), p, t))
		p->height += t->em_h;
}

double
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
