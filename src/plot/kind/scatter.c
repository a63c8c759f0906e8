/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every sample as a point, in order or against another column. */
#include "common/base/util.h"
#include "common/stream/columns.h"
#include "plot/kind/kind.h"

#include <math.h>

/* This many points make a script of some hundred thousand bytes. */
#define POINTS_MOST 15000

/* A page of as many takes 200 kilobytes. */
#define POINTS_OF_PAGE 1200

/* Rings draw the eye to fewer points that are far above the others. */
#define RINGS_MOST 20

static const char order[] = "seq";

static const char *const measures[] = {"latency_ns", "bandwidth_gbit_s",
                                       "median_ns", "median_gbit_s", NULL};

/* The points of each key. */
struct scatter_series {
	struct key_set keys;
	struct curve *of;
	size_t room;
};

/* Reading ----------------------------------------------------------------- */

/* Position on the axis: a column's value, or the next in order. */
static double
place_of(const struct curve *c, const struct row_reader *r,
         const struct table *t)
{
	if (r->place)
		return row_number(t, r->place);
	if (row_has(t, order))
		return row_number(t, order);
	/* A statistic is one point, however many samples it has. */
	if (r->weight != 1 &&
	    strncmp(t->name[r->col], "median_", strlen("median_")) != 0)
		table_die(t, (size_t)table_find(t, "count"),
		          "a histogram has no order; --x names another column");
	return (double)c->n + 1;
}

static void
read_points(struct scatter_series *s, struct row_reader *r, struct table *t)
{
	struct curve *c = NULL;

	while (row_reader_next(r, t)) {
		if (!c || !r->key_is_same) {
			size_t i = key_set_intern(&s->keys, &r->key);

			s->of = key_set_grow(&s->keys, s->of, &s->room,
			                     sizeof *s->of);
			c = &s->of[i];
		}
		curve_add(c, place_of(c, r, t), row_value(t, r->col));
	}
}

/* Axes -------------------------------------------------------------------- */

static void
choose_axis(struct picture *p, struct axis *a, const char *column, bool of_y)
{
	struct value_range range = picture_range(p, of_y);
	const char *unit = unit_words(column);
	double most = LOG_TAIL_FROM * points_middle(p->curve, p->n, of_y);
	char *words = column_words(column);

	axis_values(a, words, unit, range.low, range.high,
	            strcmp(unit, "ns") != 0 ? INFINITY : most,
	            of_y ? p->room_y : p->room);
	free(words);
}

/* Thinning ----------------------------------------------------------------- */

/* Part of the width that a point covers. */
#define DOT_PART 250

/* The number of the square with sides of `dots` that contains a point. */
static size_t
square_of(const struct picture *p, double dots, struct plot_point at)
{
	double x = axis_position(&p->x, at.x), y = axis_position(&p->y, at.y);
	size_t columns = (size_t)(p->width / dots) + 1;

	/* All outside the axes share the last one. */
	if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1))
		return columns * ((size_t)(p->height / dots) + 1);
	return (size_t)(x * p->width / dots) +
	       (size_t)(y * p->height / dots) * columns;
}

/* A pseudo-random number, independent of the order. */
static uint64_t
chance(uint64_t curve, uint64_t sample)
{
	uint64_t x = (curve << 40) + sample + 1;

	/* The finaliser of SplitMix64. */
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
	return x ^ (x >> 31);
}

/*
 * Keeps one point in each square, by chance, so that no curve hides another and
 * a sample that stands alone stays. Returns the number of points; with `drop`,
 * the others are gone.
 */
static size_t
thin_curves(struct picture *p, double dots, bool drop)
{
	size_t squares = square_of(p, dots, (struct plot_point){NAN, 0, 0}) + 1;
	uint64_t *best = xcalloc(squares, sizeof *best);
	size_t all = 0;

	for (size_t i = 0; i < p->n; i++) {
		for (size_t k = 0; k < p->curve[i].n; k++) {
			uint64_t *b =
			    &best[square_of(p, dots, p->curve[i].point[k])];

			all += !*b;
			*b = chance(i, k) > *b ? chance(i, k) : *b;
		}
	}
	for (size_t i = 0; drop && i < p->n; i++) {
		struct curve *c = &p->curve[i];
		size_t n = 0;

		for (size_t k = 0; k < c->n; k++) {
			struct plot_point at = c->point[k];

			if (best[square_of(p, dots, at)] == chance(i, k))
				c->point[n++] = at;
		}
		c->n = n;
	}
	free(best);
	return all;
}

/* Picture ----------------------------------------------------------------- */

static void
ring_outliers(struct picture *p)
{
	double from = LOG_TAIL_FROM * points_middle(p->curve, p->n, true);
	struct curve rings = {0};

	for (size_t i = 0; i < p->n; i++) {
		for (size_t k = 0; k < p->curve[i].n; k++) {
			struct plot_point at = p->curve[i].point[k];

			if (at.y > from)
				curve_add(&rings, at.x, at.y);
		}
	}
	if (rings.n <= RINGS_MOST)
		picture_take_if(p, STYLE_RING, NULL, COLOUR_NONE, &rings);
	free(rings.point);
}

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
	struct curve *curve;
	struct names names;
	double *median;
	size_t all, most = p->page ? POINTS_OF_PAGE : POINTS_MOST;
	double dots = fmax(1, (double)p->width / DOT_PART);

	read_points(&s, &rows, t);
	names = names_of(t, &s.keys);
	names_describe(&names, p, measure_words(rows.measure));
	say_runs(p, &rows);
	median = xcalloc(s.keys.n, sizeof *median);
	for (size_t i = 0; i < s.keys.n; i++)
		median[i] = points_middle(&s.of[i], 1, true);
	curve = named_curves(&names, &s.keys, false, median, "");
	for (size_t i = 0; i < s.keys.n; i++)
		picture_take(p, STYLE_DOTS, curve[i].name, curve[i].colour,
		             &s.of[i])
		    ->whole = curve[i].whole;
	if (is_bytes(place))
		axis_of_sizes(p, words);
	else
		choose_axis(p, &p->x, place, false);
	choose_axis(p, &p->y, rows.measure, true);
	all = picture_points(p);
	while (thin_curves(p, dots, false) > most)
		dots *= 1.2;
	if (p->n > 1 || all > most)
		thin_curves(p, dots, true);
	if (picture_points(p) < all)
		xappend(&p->note, "; ",
		        "%zu of %zu samples: one in each place, chosen by "
		        "chance",
		        picture_points(p), all);
	ring_outliers(p);
	free(words);
	free(curve);
	free(median);
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
