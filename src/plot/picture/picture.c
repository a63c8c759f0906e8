/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory, curves of points, and medians. */
#include "plot/picture/picture.h"

#include "common/base/number.h"

/* Memory ------------------------------------------------------------------- */

/* All blocks, each in front of what it holds, so that none is lost. */
static struct block {
	struct block *before;
	max_align_t content[];
} * blocks;

void *
keep(size_t n, size_t size)
{
	/* Items that cover the block's own part, so that xcalloc checks n. */
	size_t own = (sizeof *blocks + size - 1) / size;
	struct block *b = xcalloc(n + own + 1, size);

	b->before = blocks;
	blocks = b;
	return b->content;
}

void *
keep_more(void *list, size_t n, size_t size)
{
	void *larger;

	/* It has room for a power of two. */
	if (n & (n - 1))
		return list;
	larger = keep(n ? 2 * n : 1, size);
	if (n)
		memcpy(larger, list, n * size);
	return larger;
}

char *
keep_text(char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = memcpy(keep(size, 1), text, size);

	free(text);
	return copy;
}

char *
words(const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	return keep_text(text);
}

char *
joined(const char *a, const char *between, const char *b)
{
	return words("%s%s%s", a, *a && *b ? between : "", b);
}

void
add_words(char **list, const char *between, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = keep_text(xvasprintf(fmt, ap));
	va_end(ap);
	*list = *list && **list ? words("%s%s%s", *list, between, text) : text;
}

/* Curves ------------------------------------------------------------------- */

void
curve_add(struct curve *c, double x, double y)
{
	PUSH(c->point, c->n, (struct plot_point){x, y});
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
curve_merge(struct curve *c, struct curve *low, struct curve *high)
{
	double *value = keep(c->n, sizeof *value);
	size_t n = 0;

	curve_sort(c);
	for (size_t i = 0, k, known; i < c->n; i = k) {
		double x = c->point[i].x;

		for (k = i, known = 0; k < c->n && c->point[k].x == x; k++) {
			if (!isnan(c->point[k].y))
				value[known++] = c->point[k].y;
		}
		c->point[n].x = x;
		c->point[n++].y = known ? sorted_middle(value, known) : NAN;
		if (known > 1 && low && high) {
			curve_add(low, x, value[0]);
			curve_add(high, x, value[known - 1]);
		}
	}
	c->n = n;
}

double
curve_at(const struct curve *c, double x)
{
	size_t low = 0, high = c->n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (c->point[middle].x < x)
			low = middle + 1;
		else
			high = middle;
	}
	return low < c->n && c->point[low].x == x ? c->point[low].y
	                                          : (double)NAN;
}

void
widen(struct range *r, double value)
{
	r->low = fmin(r->low, value);
	r->high = fmax(r->high, value);
}

void
widen_to(struct range *r, const struct curve c[], size_t n, bool of_y)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < c[i].n; k++)
			widen(r, of_y ? c[i].point[k].y : c[i].point[k].x);
	}
}

struct range
range_of(const struct curve c[], size_t n, bool of_y)
{
	struct range r = RANGE_OF_NONE;

	widen_to(&r, c, n, of_y);
	return r;
}

double
points_middle(const struct curve c[], size_t n, bool of_y)
{
	double *value = NULL;
	size_t known = 0;

	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < c[i].n; k++) {
			struct plot_point at = c[i].point[k];

			if (!isnan(at.x) && !isnan(at.y))
				PUSH(value, known, of_y ? at.y : at.x);
		}
	}
	return known ? sorted_middle(value, known) : 0;
}

double
sorted_middle(double *value, size_t n)
{
	sort_numbers(value, n);
	return value[(n - 1) / 2] / 2 + value[n / 2] / 2;
}
