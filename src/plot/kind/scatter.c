/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every sample as a point, in order or against another column. */
#include "common/base/util.h"
#include "common/stream/columns.h"
#include "plot/kind/kind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* This many points make a script of some hundred thousand bytes. */
#define POINTS_MOST 15000

/* Samples used to estimate typical values. */
#define LOOKED_AT 1001

static const char order[] = "seq";

static const char *const measures[] = {"latency_ns", "bandwidth_gbit_s",
                                       "median_ns", "median_gbit_s", NULL};

/* Points of a key; where `seq` restarts, they continue behind those before. */
struct sequence {
	struct curve points;
	double first, shift, end;
};

/* The points of each key. */
struct scatter_series {
	struct key_set keys;
	struct sequence *of;
	size_t room, restarts;
};

/* Reading ----------------------------------------------------------------- */

/* Position on the axis: a column's value, or the next in order. */
static double
place_of(struct scatter_series *s, struct sequence *q,
         const struct row_reader *r, const struct table *t)
{
	double number;

	if (r->place)
		return row_number(t, r->place);
	if (row_has(t, order)) {
		number = row_number(t, order);
		if (!q->points.n) {
			q->first = q->end = number;
		} else if (number == q->first) {
			/* Several files follow each other. */
			q->shift = q->end + 1 - number;
			s->restarts++;
		}
		q->end = fmax(q->end, number + q->shift);
		return number + q->shift;
	}
	/* A statistic is one point, however many samples it has. */
	if (r->weight != 1 &&
	    strncmp(t->name[r->col], "median_", strlen("median_")) != 0)
		table_die(t, (size_t)table_find(t, "count"),
		          "a histogram has no order; --x names another column");
	return (double)q->points.n + 1;
}

static void
read_points(struct scatter_series *s, struct row_reader *r, struct table *t)
{
	struct sequence *q = NULL;

	while (row_reader_next(r, t)) {
		if (!q || !r->key_is_same) {
			size_t i = key_set_intern(&s->keys, &r->key);

			s->of = key_set_grow(&s->keys, s->of, &s->room,
			                     sizeof *s->of);
			q = &s->of[i];
		}
		curve_add(&q->points, place_of(s, q, r, t),
		          row_value(t, r->col));
	}
}

/* Axes -------------------------------------------------------------------- */

/* The median of some points, in this coordinate. */
static double
typical(const struct picture *p, bool of_y)
{
	double some[LOOKED_AT];
	size_t all = picture_points(p), n = 0, i = 0;

	for (size_t c = 0; c < p->n; c++) {
		for (size_t k = 0; k < p->curve[c].n; k++, i++) {
			struct plot_point at = p->curve[c].point[k];

			if (i >= n * all / LOOKED_AT && n < LOOKED_AT)
				some[n++] = of_y ? at.y : at.x;
		}
	}
	if (!n)
		return 0;
	sort_ascending(some, n);
	return some[n / 2];
}

static void
choose_axis(struct picture *p, struct axis *a, const char *column, bool of_y)
{
	struct value_range range = picture_range(p, of_y);
	unsigned room = of_y ? p->room_y : p->room;
	char *words = column_words(column);
	const char *unit = unit_words(column);

	if (!strcmp(unit, "ns")) {
		axis_time(a, words, range.low, range.high,
		          LOG_TAIL_FROM * typical(p, of_y), room);
	} else {
		if (*unit)
			xappend(&words, " ", "(%s)", unit);
		axis_plain(a, words, range.low, range.high, room);
	}
	free(words);
}

/* Thinning ----------------------------------------------------------------- */

/* Part of the width within which samples are neighbours. */
#define POINT_PART 100

/* Part of the width that a point covers. */
#define DOT_PART 250

/* The squares of a picture, with so many dots along a side. */
static size_t
squares(const struct picture *p, unsigned dots)
{
	return ((size_t)p->width / dots + 1) * (p->height / dots + 1);
}

/* The number of the square that contains a point; the last if none does. */
static size_t
square_of(const struct picture *p, unsigned dots, struct plot_point at)
{
	double x = axis_position(&p->x, at.x), y = axis_position(&p->y, at.y);

	if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1))
		return squares(p, dots) - 1;
	return (size_t)(x * ((double)p->width / dots)) +
	       (size_t)(y * ((double)p->height / dots)) * (p->width / dots + 1);
}

/* A pseudo-random number from 0 to below 1, independent of the order. */
static double
chance(uint64_t curve, uint64_t sample)
{
	uint64_t x = (curve << 40) + sample + 1;

	/* The finaliser of SplitMix64. */
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
	x ^= x >> 31;
	return (double)(x >> 11) / (double)(UINT64_C(1) << 53);
}

/*
 * Keeps a part of a curve's samples, chosen at random (the same each time), so
 * that density stays true, and samples without a neighbour on the curve:
 * otherwise outliers would vanish.
 */
static void
thin_curve(struct picture *p, size_t number, double part)
{
	unsigned dots = p->width < POINT_PART ? 1 : p->width / POINT_PART;
	struct curve *c = &p->curve[number];
	bool *taken = xcalloc(squares(p, dots), sizeof *taken);
	bool *kept = xcalloc(c->n + 1, sizeof *kept);
	size_t n = 0;

	for (int alone = 0; alone < 2; alone++) {
		for (size_t k = 0; k < c->n; k++) {
			size_t square;

			if (alone ? kept[k] : chance(number, k) >= part)
				continue;
			square = square_of(p, dots, c->point[k]);
			kept[k] = !alone || !taken[square];
			taken[square] = true;
		}
	}
	for (size_t k = 0; k < c->n; k++) {
		if (kept[k])
			c->point[n++] = c->point[k];
	}
	c->n = n;
	free(taken);
	free(kept);
}

/* The curve whose samples a square shows. */
struct owner {
	double chance; /* 0: none */
	size_t curve;
};

/*
 * Where points of several curves overlap, keeps those of one, with a chance by
 * its samples there, so that none hides another.
 */
static void
part_curves(struct picture *p)
{
	unsigned dots = p->width < DOT_PART ? 1 : p->width / DOT_PART;
	struct owner *all = xcalloc(squares(p, dots), sizeof *all);

	for (size_t i = 0; i < p->n; i++) {
		for (size_t k = 0; k < p->curve[i].n; k++) {
			struct owner *o =
			    &all[square_of(p, dots, p->curve[i].point[k])];
			double c = 1 - chance(i + p->n, k);

			if (c > o->chance)
				*o = (struct owner){c, i};
		}
	}
	for (size_t i = 0; i < p->n; i++) {
		struct curve *c = &p->curve[i];
		size_t n = 0;

		for (size_t k = 0; k < c->n; k++) {
			/* Keeps at least one point of a curve. */
			bool last = k + 1 == c->n && !n;

			if (last ||
			    all[square_of(p, dots, c->point[k])].curve == i)
				c->point[n++] = c->point[k];
		}
		c->n = n;
	}
	free(all);
}

/* Picture ----------------------------------------------------------------- */

static void
draw(struct picture *p, struct table *t)
{
	const char *const given[] = {
	    p->measure ? foreign_name(p->measure) : NULL, NULL};
	const char *x = p->x_column, *place = x ? x : "sample";
	struct row_reader rows = {.measures = p->measure ? given : measures,
	                          .place = x,
	                          .axis = x,
	                          .lacking = x ? x : "a measure"};
	char *words = column_words(place);
	struct scatter_series s = {0};
	struct curve_style *style;
	struct names names;
	size_t all;

	read_points(&s, &rows, t);
	names = names_of(t, &s.keys);
	names_hide_runs(&names);
	names_describe(&names, p, measure_words(rows.measure));
	style = run_styles_of(t, &s.keys);
	for (size_t i = 0; i < s.keys.n; i++)
		picture_take(p, STYLE_DOTS,
		             names_curve(&names, &s.keys, i, "", &style[i]),
		             style[i].colour, &s.of[i].points);
	if (is_bytes(place))
		axis_of_sizes(p, words);
	else
		choose_axis(p, &p->x, place, false);
	choose_axis(p, &p->y, rows.measure, true);
	if (s.restarts)
		xappend(&p->note, "; ",
		        "seq starts anew %zu times: these samples follow those "
		        "before",
		        s.restarts);
	all = picture_points(p);
	for (size_t i = 0; all > POINTS_MOST && i < p->n; i++)
		thin_curve(p, i, 0.5 * POINTS_MOST / (double)all);
	if (p->n > 1)
		part_curves(p);
	if (picture_points(p) < all)
		xappend(&p->note, "; ",
		        "%zu of %zu samples: chosen by chance, and those that "
		        "stand alone",
		        picture_points(p), all);
	free(words);
	free(style);
	free(s.of);
	names_free(&names);
	key_set_free(&s.keys);
	row_reader_free(&rows);
}

const struct kind kind_scatter = {
    .name = "scatter",
    .help = "every sample, in order or against the column that --x names",
    .takes = TAKES_AXES | TAKES_COLUMN | TAKES_X,
    .draw = draw,
};
