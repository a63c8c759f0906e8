#include "plot/picture/category_axis.h"

#include "common/base/util.h"
#include "plot/gnuplot/panels.h"
#include "plot/gnuplot/quote.h"

#include <math.h>
#include <stdlib.h>

/* Half the height of a bar; a row's is 1. */
#define HALF 0.3

/* The same of a cell: all, and still nearer to this row than to the next. */
#define CELL_HALF 0.4999

/* The part of the width that names have at most, in percent. */
#define NAMES_PCT 65

/* What the legend needs beside them, in characters. */
#define LEGEND 30

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

void
add_stroke(struct curve *c, size_t row, double at)
{
	add_corner(c, row, at, -HALF);
	add_corner(c, row, at, HALF);
	curve_add(c, NAN, 0);
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
	p->remark =
	    xreallocarray(p->remark, p->nremarks + 1, sizeof *p->remark);
	p->remark[p->nremarks++] = remark;
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

static size_t
widest_row(const struct picture *p)
{
	size_t widest = 0;

	for (; p; p = p->below) {
		for (size_t i = 0; i < p->nrows; i++)
			widest = wider(widest, p->row[i]);
	}
	return widest;
}

static void
write_remarks(const struct picture *p, const struct terminal *t)
{
	for (size_t i = 0; i < p->nremarks; i++) {
		const struct remark *r = &p->remark[i];

		fputs("set label ", stdout);
		write_string(stdout, r->text);
		fputs(" at ", stdout);
		write_number(r->at / p->x.unit);
		printf(", %zu %s front%s\n", r->row + 1,
		       r->centred ? "center"
		       : t->text  ? "left offset 2,0"
		                  : "left offset 1,0",
		       r->white && !t->text ? " textcolor rgb '#ffffff'" : "");
	}
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
		widest = wider(widest, panel->remark[i].text);
	return fmin((double)(widest + 1) / TIC_WIDTH / room, 0.5);
}

static size_t
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

/* Where there is no room for all names, for some. */
void
write_rows(const struct picture *p, const struct picture *panel,
           const struct terminal *t)
{
	size_t width = names_width(p, t);
	size_t every = rows_per_line(p, t);
	size_t next = 0;

	printf("set yrange [%zu.5:0.5]\nunset ytics\n",
	       panel->nrows ? panel->nrows : 1);
	for (size_t i = 0; i < panel->nrows; i++) {
		char *plain;

		if (i < next || !*panel->row[i])
			continue;
		plain = plain_text(panel->row[i], width);
		fputs("set label ", stdout);
		write_string(stdout, plain);
		printf(" at screen 0, first %zu left offset 1,0\n", i + 1);
		free(plain);
		next = i + every;
	}
	printf("set lmargin at screen %.3f\n",
	       (double)(rows_margin(p, t) * t->em_w) / p->width);
	write_remarks(panel, t);
}
