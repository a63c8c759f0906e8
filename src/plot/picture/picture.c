/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Curves of points, and medians. */
#include "plot/picture/picture.h"

#include "common/base/util.h"

#include <math.h>

void
curve_add(struct curve *c, double x, double y)
{
	if (c->n == c->max) {
		c->max = c->max ? 2 * c->max : 16;
		c->point = xreallocarray(c->point, c->max, sizeof *c->point);
	}
	c->point[c->n++] = (struct plot_point){x, y};
}

void
curve_append(struct curve *c, const struct curve *from)
{
	for (size_t i = 0; i < from->n; i++)
		curve_add(c, from->point[i].x, from->point[i].y);
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

size_t
sort_distinct(double *value, size_t n)
{
	size_t left = 0;

	sort_ascending(value, n);
	for (size_t i = 0; i < n; i++) {
		if (!i || value[i] != value[i - 1])
			value[left++] = value[i];
	}
	return left;
}

void
picture_free(struct picture *p)
{
	for (size_t i = 0; i < p->ntips; i++) {
		free(p->tip[i].text);
		free(p->tip[i].name);
	}
	for (size_t i = 0; i < p->nnames; i++)
		free(p->names[i]);
	free(p->tip);
	free(p->names);
	free(p->look);
	free(p->title);
	free(p->finding);
	free(p->subtitle);
	free(p->note);
	*p = (struct picture){0};
}
