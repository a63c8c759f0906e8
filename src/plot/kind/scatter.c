/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every sample as a point, in order or against another column. */
#include "common/stream/columns.h"
#include "plot/kind/kind.h"

/* This many points make a script of some hundred thousand bytes. */
#define POINTS_MOST 15000

/* A page of as many takes 200 kilobytes. */
#define POINTS_OF_PAGE 1200

/* Fewer points than this are larger. */
#define FEW 200

/* Rings draw the eye to fewer points that are far above the others. */
#define RINGS_MOST 20

/* The points of each key. */
struct scatter {
	struct curve *of;
	size_t n;
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
		return row_value(t, (size_t)r->place_at);
	if (row_has(t, "seq"))
		return row_number(t, "seq");
	/* A statistic is one point, however many samples it has. */
	if (r->weight != 1 &&
	    strncmp(t->name[r->col], "median_", strlen("median_")) != 0)
		table_die(t, (size_t)table_find(t, "count"),
		          "a histogram has no order; --x names another column");
	return (double)c->n + 1;
}

/* Axes --------------------------------------------------------------------- */

static struct scale
choose_axis(const struct scatter *s, const char *column, bool of_y)
{
	const char *unit = unit_words(column);
	struct range r = range_of(s->of, s->n, of_y);
	double most = INFINITY; /* of a linear axis, by the lowest curve */

	if (!of_y && !s->p->x_column)
		return scale_from_zero(s->p, false, unit, r);
	if (!of_y && is_bytes(column))
		return scale_of_sizes(s->p, s->of, s->n, sizeof *s->of);
	for (size_t i = 0; i < s->n && !strcmp(unit, "ns"); i++)
		most = fmin(most,
		            LOG_TAIL_FROM * points_middle(&s->of[i], 1, of_y));
	return choose_scale(s->p, of_y, unit, r, most);
}

/* Thinning ----------------------------------------------------------------- */

/* Part of the width that a point covers. */
#define DOT_PART 250

/* The number of the square with sides of `dots` that contains a point. */
static size_t
square_of(const struct scatter *s, double dots, struct plot_point at)
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

/*
 * Keeps the first point in each square; curves take turns, so that none hides
 * another, and a sample that stands alone stays. Returns the number of points.
 */
static size_t
thin_curves(struct scatter *s, double dots)
{
	size_t squares = square_of(s, dots, (struct plot_point){NAN, 0}) + 1;
	bool *taken = keep(squares, sizeof *taken);
	size_t all = 0, longest = 0, *left = keep(s->n, sizeof *left);

	for (size_t i = 0; i < s->n; i++)
		longest = s->of[i].n > longest ? s->of[i].n : longest;
	for (size_t k = 0; k < longest; k++) {
		for (size_t i = 0; i < s->n; i++) {
			struct plot_point *point = s->of[i].point;
			bool *here;

			if (k >= s->of[i].n)
				continue;
			here = &taken[square_of(s, dots, point[k])];
			if (!*here)
				point[left[i]++] = point[k];
			*here = true;
		}
	}
	for (size_t i = 0; i < s->n; i++)
		all += s->of[i].n = left[i];
	return all;
}

/* Leaves as many points as a script can hold; says so. Returns the old number.
 */
static size_t
thin_points(struct scatter *s, struct picture *p)
{
	size_t all = 0, left;
	size_t most = p->terminal->page ? POINTS_OF_PAGE : POINTS_MOST;
	double dots = fmax(1, (double)p->width / DOT_PART);

	for (size_t i = 0; i < s->n; i++)
		all += s->of[i].n;
	if (s->n < 2 && all <= most)
		return all;
	while ((left = thin_curves(s, dots)) > most)
		dots *= 1.2;
	if (left < all)
		p->note =
		    words("%zu of %zu samples: one in each place", left, all);
	return all;
}

/* Picture ------------------------------------------------------------------ */

static size_t
points_above(const struct scatter *s, double y)
{
	size_t above = 0;

	for (size_t i = 0; i < s->n; i++) {
		for (size_t k = 0; k < s->of[i].n; k++)
			above += s->of[i].point[k].y > y;
	}
	return above;
}

static void
put_tips(struct picture *p, const struct scatter *s, const struct curve curve[],
         const char *label, const char *measure)
{
	for (size_t i = 0; i < s->n && p->terminal->page; i++) {
		for (size_t k = 0; k < s->of[i].n; k++) {
			struct plot_point at = s->of[i].point[k];

			add_tip(p, ON(&curve[i], at.x, at.y),
			        whole_name(&curve[i]), "%s at %s %.10g",
			        quantity_words(measure, at.y), label, at.x);
		}
	}
}

void
draw_scatter(struct picture *p, struct table *t)
{
	const char *const *usual = MEASURES("latency_ns", "bandwidth_gbit_s",
	                                    "median_ns", "median_gbit_s");
	const char *x = p->x_column, *place = "sample";
	struct row_reader rows = {.measures =
	                              p->measure ? MEASURES(p->measure) : usual,
	                          .place = x,
	                          .axis = x,
	                          .lacking = x ? x : "a measure"};
	static struct curves curves;
	struct scatter s;
	struct curve *curve;
	struct names names;
	double middle, *median;
	size_t all, far;

	while (row_reader_next(&rows, t)) {
		struct curve *c = row_curve(&curves, &rows);

		curve_add(c, place_of(c, &rows, t), row_value(t, rows.col));
	}
	if (x)
		place = t->name[table_find_given(t, x)];
	names = names_of(t, &curves.keys);
	s = (struct scatter){.of = curves.of, .n = curves.keys.n, .p = p};
	median = keep(s.n, sizeof *median);
	for (size_t i = 0; i < s.n; i++)
		median[i] = points_middle(&s.of[i], 1, true);
	curve = named_curves(&names, &curves.keys, false, median, "");
	s.x = choose_axis(&s, place, false);
	s.y = choose_axis(&s, rows.measure, true);
	middle = points_middle(s.of, s.n, true);
	far = points_above(&s, LOG_TAIL_FROM * middle);
	all = thin_points(&s, p);
	put_scale(p, false, &s.x, column_words(place));
	put_scale(p, true, &s.y, column_words(rows.measure));
	put_number(p, "sizes", is_bytes(place));
	put_number(p, "few", all < FEW);
	put_curves(p, "rows", s.of, s.n, sizeof *s.of);
	put_tips(p, &s, curve, column_words(place), rows.measure);
	for (size_t i = 0; i < s.n; i++) {
		curve[i].point = s.of[i].point;
		curve[i].n = s.of[i].n;
	}
	p->empty = !all;
	if (all)
		p->finding =
		    words("median %s", quantity_words(rows.measure, middle));
	if (far)
		add_words(&p->finding, "; ", "%zu of %zu over %d times that",
		          far, all, LOG_TAIL_FROM);
	put_number(p, "far",
	           far && far <= RINGS_MOST ? LOG_TAIL_FROM * middle / s.y.unit
	                                    : INFINITY);
	names_describe(&names, p, measure_words(rows.measure));
	say_runs(p, &rows);
	put_series(p, curve, s.n);
	put_ends(p, curve, s.n, MARK_POINT);
}
