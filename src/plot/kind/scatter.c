/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every sample as a point, in order or against another column. */
#include "common/base/util.h"
#include "common/stream/columns.h"
#include "plot/kind/kind.h"
#include "plot/picture/drawing.h"

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
	const struct picture *p;
	struct scale x, y;
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

/* Axes --------------------------------------------------------------------- */

static struct scale
choose_axis(const struct picture *p, const struct scatter_series *s,
            const char *column, bool of_y)
{
	double low = INFINITY, high = -INFINITY;
	const char *unit = unit_words(column);
	double most = LOG_TAIL_FROM * points_middle(s->of, s->keys.n, of_y);

	for (size_t i = 0; i < s->keys.n; i++) {
		for (size_t k = 0; k < s->of[i].n; k++) {
			struct plot_point at = s->of[i].point[k];

			low = fmin(low, of_y ? at.y : at.x);
			high = fmax(high, of_y ? at.y : at.x);
		}
	}
	return choose_scale(p, of_y, unit, low, high,
	                    strcmp(unit, "ns") != 0 ? INFINITY : most);
}

static struct scale
choose_sizes(const struct picture *p, const struct scatter_series *s)
{
	double *x = NULL;
	size_t n = 0;
	struct scale scale;

	for (size_t i = 0; i < s->keys.n; i++) {
		for (size_t k = 0; k < s->of[i].n; k++) {
			if (!k ||
			    s->of[i].point[k].x != s->of[i].point[k - 1].x)
				array_push(x, n, s->of[i].point[k].x);
		}
	}
	scale = scale_of_sizes(p, x, sort_distinct(x, n));
	free(x);
	return scale;
}

/* Thinning ----------------------------------------------------------------- */

/* Part of the width that a point covers. */
#define DOT_PART 250

/* The number of the square with sides of `dots` that contains a point. */
static size_t
square_of(const struct scatter_series *s, double dots, struct plot_point at)
{
	const struct picture *p = s->p;
	double x = scale_position(&s->x, at.x), y = scale_position(&s->y, at.y);
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
thin_curves(struct scatter_series *s, double dots, bool drop)
{
	size_t squares = square_of(s, dots, (struct plot_point){NAN, 0}) + 1;
	uint64_t *best = xcalloc(squares, sizeof *best);
	size_t all = 0;

	for (size_t i = 0; i < s->keys.n; i++) {
		for (size_t k = 0; k < s->of[i].n; k++) {
			uint64_t *b =
			    &best[square_of(s, dots, s->of[i].point[k])];

			all += !*b;
			*b = chance(i, k) > *b ? chance(i, k) : *b;
		}
	}
	for (size_t i = 0; drop && i < s->keys.n; i++) {
		struct curve *c = &s->of[i];
		size_t n = 0;

		for (size_t k = 0; k < c->n; k++) {
			struct plot_point at = c->point[k];

			if (best[square_of(s, dots, at)] == chance(i, k))
				c->point[n++] = at;
		}
		c->n = n;
	}
	free(best);
	return all;
}

/* Picture ------------------------------------------------------------------ */

static void
put_points(struct picture *p, const struct scatter_series *s,
           const struct curve curve[], const char *label, const char *measure)
{
	for (size_t i = 0; i < s->keys.n; i++) {
		if (i)
			block_next(p);
		for (size_t k = 0; k < s->of[i].n; k++) {
			struct plot_point at = s->of[i].point[k];
			struct place tip =
			    AT(at.x / s->x.unit, at.y / s->y.unit);
			char *value = quantity_words(measure, at.y);

			POINT(p, at.x / s->x.unit, at.y / s->y.unit);
			tip.look = look_of(&curve[i]);
			add_tip(p, tip, whole_name(&curve[i]), "%s at %s %.10g",
			        value, label, at.x);
			free(value);
		}
	}
}

/* Rings around those far above the others, unless they are many. */
static size_t
put_rings(struct picture *p, const struct scatter_series *s)
{
	double from = LOG_TAIL_FROM * points_middle(s->of, s->keys.n, true);
	size_t n = 0;

	for (int draws = 0; draws < 2; draws++) {
		for (size_t i = 0; i < s->keys.n; i++) {
			for (size_t k = 0; k < s->of[i].n; k++) {
				struct plot_point at = s->of[i].point[k];

				if (!(at.y > from))
					continue;
				if (!draws)
					n++;
				else if (n <= RINGS_MOST)
					POINT(p, at.x / s->x.unit,
					      at.y / s->y.unit);
			}
		}
	}
	return n;
}

static size_t
count_points(const struct scatter_series *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->keys.n; i++)
		n += s->of[i].n;
	return n;
}

static void
/* NOLINTNEXTLINE(readability-function-size): to be cut into parts */
draw(struct picture *p, struct table *t)
{
	const char *const given[] = {
	    p->measure ? foreign_name(p->measure) : NULL, NULL};
	const char *x = p->x_column, *place = x ? x : "sample";
	struct row_reader rows = {.measures = p->measure ? given : measures,
	                          .place = x,
	                          .axis = x,
	                          .lacking = x ? x : "a measure"};
	char *words = column_words(place), *y_words, *middle;
	struct scatter_series s = {.p = p};
	struct curve *curve;
	struct names names;
	struct end *end;
	double *median;
	size_t nends = 0, all, far,
	       most = p->page ? POINTS_OF_PAGE : POINTS_MOST;
	double dots = fmax(1, (double)p->width / DOT_PART);

	read_points(&s, &rows, t);
	names = names_of(t, &s.keys);
	median = xcalloc(s.keys.n + 1, sizeof *median);
	for (size_t i = 0; i < s.keys.n; i++)
		median[i] = points_middle(&s.of[i], 1, true);
	curve = named_curves(&names, &s.keys, false, median, "");
	put_series(p, curve, s.keys.n);
	s.x = is_bytes(place) ? choose_sizes(p, &s)
	                      : choose_axis(p, &s, place, false);
	s.y = choose_axis(p, &s, rows.measure, true);
	all = count_points(&s);
	while (thin_curves(&s, dots, false) > most)
		dots *= 1.2;
	if (s.keys.n > 1 || all > most)
		thin_curves(&s, dots, true);
	if (count_points(&s) < all)
		xappend(&p->note, "; ",
		        "%zu of %zu samples: one in each place, chosen by "
		        "chance",
		        count_points(&s), all);
	y_words = column_words(rows.measure);
	put_scale(p, false, &s.x, words);
	put_scale(p, true, &s.y, y_words);
	block_begin(p, "rows");
	put_points(p, &s, curve, words, rows.measure);
	block_end(p);
	block_begin(p, "rings");
	far = put_rings(p, &s);
	block_end(p);
	middle =
	    quantity_words(rows.measure, points_middle(s.of, s.keys.n, true));
	if (all)
		p->finding =
		    far ? xasprintf("median %s; %zu of %zu over %d times that",
		                    middle, far, all, LOG_TAIL_FROM)
		        : xasprintf("median %s", middle);
	free(middle);
	names_describe(&names, p, measure_words(rows.measure));
	say_runs(p, &rows);
	put_number(p, "sizes", is_bytes(place));
	end = xcalloc(s.keys.n + 1, sizeof *end);
	for (size_t i = 0; i < s.keys.n; i++) {
		if (curve[i].name)
			end[nends++] =
			    (struct end){.name = xstrdup(curve[i].name),
			                 .look = look_of(&curve[i]),
			                 .mark = MARK_POINT};
	}
	put_key(p, end, nends);
	free(end);
	p->empty = !all;
	free(y_words);
	free(words);
	for (size_t i = 0; i < s.keys.n; i++) {
		free(curve[i].name);
		free(curve[i].whole);
		free(s.of[i].point);
	}
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
    .template = "scatter",
};
