/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every sample as a point, in order or against another column. */
#include "common/base/util.h"
#include "common/stream/foreign.h"
#include "plot/data/captions.h"
#include "plot/data/curve_colours.h"
#include "plot/data/row_reader.h"
#include "plot/kind/decimate.h"
#include "plot/kind/kind.h"
#include "plot/picture/ascending.h"

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

static struct sequence *
find_sequence(struct scatter_series *s, const struct key *key)
{
	size_t i = key_set_intern(&s->keys, key);

	s->of = key_set_grow(&s->keys, s->of, &s->room, sizeof *s->of);
	return &s->of[i];
}

/* A statistic is one point, however many samples it has. */
static bool
is_statistic(const char *measure)
{
	return !strncmp(measure, "median_", strlen("median_"));
}

/*
 * A sequence that restarts, as in several files, continues behind the points
 * before.
 */
static double
place_in_order(struct scatter_series *s, struct sequence *q, double number)
{
	if (!q->points.n) {
		q->first = q->end = number;
	} else if (number == q->first) {
		q->shift = q->end + 1 - number;
		s->restarts++;
	}
	q->end = fmax(q->end, number + q->shift);
	return number + q->shift;
}

/* Position on the axis: a column's value, or the next in order. */
static double
place_of(struct scatter_series *s, struct sequence *q,
         const struct row_reader *r, const struct table *t)
{
	if (r->place)
		return row_number(t, r->place);
	if (row_has(t, order))
		return place_in_order(s, q, row_number(t, order));
	if (r->weight != 1 && !is_statistic(t->name[r->col]))
		table_die(t, (size_t)table_find(t, "count"),
		          "a histogram has no order; --x names another column");
	return (double)q->points.n + 1;
}

static void
read_points(struct scatter_series *s, struct row_reader *r, struct table *t)
{
	struct sequence *q = NULL;

	while (row_reader_next(r, t)) {
		if (!q || !r->key_is_same)
			q = find_sequence(s, &r->key);
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
	size_t all = picture_points(p);
	size_t n = 0;
	size_t i = 0;

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
	char *words = column_words(column);
	const char *unit = unit_words(column);
	char *label;

	if (!strcmp(unit, "ns")) {
		axis_time(a, words, range.low, range.high,
		          LOG_TAIL_FROM * typical(p, of_y),
		          of_y ? p->room_y : p->room);
	} else {
		label =
		    *unit ? xasprintf("%s (%s)", words, unit) : xstrdup(words);
		axis_plain(a, label, range.low, range.high,
		           of_y ? p->room_y : p->room);
		free(label);
	}
	free(words);
}

static void
choose_axes(struct picture *p, const struct row_reader *r)
{
	const char *place = r->place ? r->place : "sample";
	char *words = column_words(place);

	if (is_bytes(place))
		axis_of_sizes(p, words);
	else
		choose_axis(p, &p->x, place, false);
	choose_axis(p, &p->y, r->measure, true);
	free(words);
}

/* Picture ----------------------------------------------------------------- */

static void
add_points(struct picture *p, const struct names *names,
           struct scatter_series *s)
{
	struct curve_style *style = run_styles_of(names->t, &s->keys);

	for (size_t i = 0; i < s->keys.n; i++) {
		char *name = names_run(names_key(names, &s->keys, i, ""),
		                       style[i].runs, style[i].repeated);

		picture_take(p, STYLE_DOTS, name, &s->of[i].points)->colour =
		    style[i].colour;
	}
	free(style);
	free(s->of);
}

/* Notes how many samples are left out, and that files follow each other. */
static void
say_places(struct picture *p, const struct scatter_series *s)
{
	size_t all = picture_points(p);
	char *anew = s->restarts ? xasprintf("seq starts anew %zu times: these "
	                                     "samples follow those before",
	                                     s->restarts)
	                         : NULL;

	if (!thin(p, POINTS_MOST)) {
		p->note = anew;
		return;
	}
	p->note = xasprintf("%s%s%zu of %zu samples: chosen by chance, and "
	                    "those that stand alone",
	                    anew ? anew : "", anew ? "; " : "",
	                    picture_points(p), all);
	free(anew);
}

static void
draw(struct picture *p, struct table *t)
{
	const char *const given[] = {
	    p->measure ? foreign_name(p->measure) : NULL, NULL};
	const char *x = p->x_column;
	struct row_reader rows = {.measures = p->measure ? given : measures,
	                          .place = x,
	                          .axis = x,
	                          .lacking = x ? x : "a measure"};
	struct scatter_series s = {0};
	struct names names;

	read_points(&s, &rows, t);
	names = names_of(t, &s.keys);
	names_hide_runs(&names);
	names_describe(&names, p, measure_words(rows.measure));
	add_points(p, &names, &s);
	choose_axes(p, &rows);
	say_places(p, &s);
	names_free(&names);
	key_set_free(&s.keys);
	row_reader_free(&rows);
}

const struct kind kind_scatter = {
    .name = "scatter",
    .help = "every sample, in order or against the column that --x names",
    .draw = draw,
};
