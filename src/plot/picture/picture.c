/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds panels, curves and rows to a picture. */
#include "plot/picture/picture.h"

#include "common/base/utf8.h"
#include "common/base/util.h"

#include <math.h>

struct picture *
picture_below(struct picture *p)
{
	struct picture *above = p;

	while (above->below)
		above = above->below;
	above->below = xcalloc(1, sizeof *above);
	*above->below = (struct picture){.width = p->width,
	                                 .height = p->height,
	                                 .room = p->room,
	                                 .room_y = p->room_y};
	return above->below;
}

struct curve *
picture_take(struct picture *p, enum style style, char *name, size_t colour,
             struct curve *from)
{
	struct curve c = from ? *from : (struct curve){0};

	c.style = style;
	c.colour = colour;
	c.name = name;
	if (from)
		*from = (struct curve){0};
	array_push(p->curve, p->n, c);
	return &p->curve[p->n - 1];
}

void
picture_take_if(struct picture *p, enum style style, const char *name,
                size_t colour, struct curve *from)
{
	if (from->n)
		picture_take(p, style, name ? xstrdup(name) : NULL, colour,
		             from);
}

void
curve_add(struct curve *c, double x, double y)
{
	if (c->n == c->max) {
		c->max = c->max ? 2 * c->max : 16;
		c->point = xreallocarray(c->point, c->max, sizeof *c->point);
	}
	c->point[c->n++] = (struct plot_point){x, y, 0};
}

void
curve_say(struct curve *c, char *text)
{
	array_push(c->says, c->nsays, text);
}

void
curve_append(struct curve *c, const struct curve *from)
{
	for (size_t i = 0; i < from->n; i++)
		curve_add(c, from->point[i].x, from->point[i].y);
}

void
curve_corners(struct curve *c, const struct curve *steps)
{
	for (size_t i = 0; i < steps->n; i++) {
		if (i)
			curve_add(c, steps->point[i].x, steps->point[i - 1].y);
		curve_add(c, steps->point[i].x, steps->point[i].y);
	}
}

static int
by_x(const void *a, const void *b)
{
	const struct plot_point *p = a, *q = b;

	if (p->x != q->x)
		return p->x < q->x ? -1 : 1;
	return (p->y > q->y) - (p->y < q->y);
}

void
curve_sort(struct curve *c)
{
	if (c->n)
		qsort(c->point, c->n, sizeof *c->point, by_x);
}

void
curve_unique(struct curve *c)
{
	size_t n = 0;

	curve_sort(c);
	for (size_t i = 0; i < c->n; i++) {
		if (!n || c->point[i].x != c->point[n - 1].x)
			c->point[n++] = c->point[i];
	}
	c->n = n;
}

void
axis_of_sizes(struct picture *p, const char *name)
{
	struct curve all = {0};

	for (size_t i = 0; i < p->n; i++) {
		const struct curve *c = &p->curve[i];

		for (size_t k = 0; k < c->n; k++) {
			if (!k || c->point[k].x != c->point[k - 1].x)
				curve_add(&all, c->point[k].x, 0);
		}
	}
	curve_unique(&all);
	axis_bytes(&p->x, name, all.point, all.n, p->room);
	free(all.point);
}

size_t
picture_points(const struct picture *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		n += p->curve[i].n;
	return n;
}

struct value_range
picture_range(const struct picture *p, bool of_y)
{
	struct value_range all = {INFINITY, -INFINITY};

	for (size_t i = 0; i < p->n; i++) {
		for (size_t k = 0; k < p->curve[i].n; k++) {
			struct plot_point at = p->curve[i].point[k];

			all.low = fmin(all.low, of_y ? at.y : at.x);
			all.high = fmax(all.high, of_y ? at.y : at.x);
		}
	}
	return all.low <= all.high ? all : (struct value_range){0};
}

double
points_middle(const struct curve c[], size_t n, bool of_y)
{
	double *value = NULL, middle = 0;
	size_t known = 0;

	for (size_t i = 0; i < n; i++)
		known += c[i].n;
	value = xcalloc(known + 1, sizeof *value);
	known = 0;
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < c[i].n; k++) {
			struct plot_point at = c[i].point[k];

			if (!isnan(at.x) && !isnan(at.y))
				value[known++] = of_y ? at.y : at.x;
		}
	}
	if (known)
		middle = sorted_middle(value, known);
	free(value);
	return middle;
}

/* Rows --------------------------------------------------------------------- */

size_t
add_row(struct picture *p, char *name)
{
	array_push(p->row, p->nrows, name);
	return p->nrows - 1;
}

/* Rows are at 1, 2 and so on, downwards. */
static void
add_corner(struct curve *c, size_t row, double x, double height)
{
	curve_add(c, x, (double)row + 1 + height);
}

void
add_bar(struct curve *c, size_t row, double from, double to, double part)
{
	add_corner(c, row, from, -part / 2);
	add_corner(c, row, to, -part / 2);
	add_corner(c, row, to, part / 2);
	add_corner(c, row, from, part / 2);
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
add_across(struct curve *c, size_t row, double at, double part)
{
	add_corner(c, row, at, -part / 2);
	add_corner(c, row, at, part / 2);
	curve_add(c, NAN, 0);
}

void
add_remark(struct picture *p, size_t row, double at, char *text)
{
	array_push(p->remark, p->nremarks,
	           (struct remark){row, at, text, false, false});
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

void
axis_beside(struct picture *p, const char *name, const char *unit, double low,
            double high, double linear_to)
{
	unsigned room = room_beside(p);
	size_t widest = 0;
	double part;

	for (size_t i = 0; i < p->nremarks; i++) {
		if (!p->remark[i].centred)
			widest = max_plain_width(widest, p->remark[i].text);
	}
	part = fmin((double)(widest + 1) / TIC_WIDTH / room, 0.5);
	if (!widest)
		part = 0;
	if (low > 0 && high > linear_to)
		high = low * pow(high / low, 1 / (1 - part));
	else
		high = low + (high - low) / (1 - part);
	axis_values(&p->x, name, unit, low, high, linear_to, room);
	axis_few_tics(&p->x, room);
}

void
picture_free(struct picture *p)
{
	struct picture *panel = p, *below;

	do {
		below = panel->below;
		for (size_t i = 0; i < panel->n; i++) {
			struct curve *c = &panel->curve[i];

			for (size_t k = 0; k < c->nsays; k++)
				free(c->says[k]);
			free(c->says);
			free(c->name);
			free(c->whole);
			free(c->point);
		}
		for (size_t i = 0; i < panel->nrows; i++)
			free(panel->row[i]);
		for (size_t i = 0; i < panel->nremarks; i++)
			free(panel->remark[i].text);
		free(panel->curve);
		free(panel->row);
		free(panel->remark);
		free(panel->title);
		free(panel->subtitle);
		free(panel->note);
		free(panel->shades.label);
		axis_free(&panel->x);
		axis_free(&panel->y);
		if (panel != p)
			free(panel);
		panel = below;
	} while (panel);
	*p = (struct picture){0};
}

/* Numbers ------------------------------------------------------------------ */

static int
ascending(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

void
sort_ascending(double *value, size_t n)
{
	if (n)
		qsort(value, n, sizeof *value, ascending);
}

double
sorted_middle(double *value, size_t n)
{
	sort_ascending(value, n);
	return value[(n - 1) / 2] / 2 + value[n / 2] / 2;
}
