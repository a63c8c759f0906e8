/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts the samples in each cell of a map of latency against time. */
#include "plot/kind/density.h"

#include "common/base/list.h"
#include "common/base/util.h"
#include "plot/data/captions.h"
#include "plot/data/row_reader.h"
#include "plot/picture/ascending.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cells along each axis. */
#define ACROSS 120
#define UP     60

/* Far less than the difference of two counts. */
#define ROUNDING 1e-9

/* More rings would hide the points inside them. */
#define RINGS_MOST 500

/* Without this column, samples are in the order of rows. */
static const char order[] = "seq";

static const char *const measures[] = {"latency_ns", "bandwidth_gbit_s", NULL};

struct samples {
	struct curve all; /* x as drawn, and the value */
	struct curve flagged;
	double *begin; /* start of each run but the first, as drawn */
	size_t nruns;
	struct key_set keys;
	const char *measure;
};

/* Reading ----------------------------------------------------------------- */

/*
 * Where a sample is drawn: at its column's value, shifted behind earlier runs
 * when the column restarts.
 */
struct place {
	double last, end, shift;
};

static double
place_of(struct place *at, struct samples *s, double x, bool other_run,
         bool is_new)
{
	if (s->all.n && other_run && x <= at->last) {
		at->shift = at->end + 1 - x;
		/* Devices may take turns: only a first turn begins a run. */
		if (is_new)
			array_push(s->begin, s->nruns, x + at->shift - 0.5);
	}
	at->last = x;
	x += at->shift;
	at->end = fmax(at->end, x);
	return x;
}

static void
read_samples(struct samples *s, struct picture *p, struct table *t)
{
	bool ordered = !strcmp(p->x_column, order);
	struct row_reader r = {.measures = measures,
	                       .place = ordered ? NULL : p->x_column,
	                       .axis = p->x_column,
	                       .lacking = p->x_column};
	struct place at = {-INFINITY, -INFINITY, 0};
	double rows = 0;
	size_t run = 0;

	while (row_reader_next(&r, t)) {
		double x = row_number(t, p->x_column);
		size_t last = run, known = s->keys.n;

		if (!r.key_is_same || !s->all.n)
			run = key_set_intern(&s->keys, &r.key);
		rows = run == last ? rows + 1 : 1;
		if (isnan(x))
			x = rows;
		x = place_of(&at, s, x, run != last, s->keys.n != known);
		curve_add(&s->all, x, row_value(t, r.col));
		if (row_has(t, "flags"))
			curve_add(&s->flagged, x, row_value(t, r.col));
	}
	s->measure = r.measure;
	row_reader_free(&r);
}

/* Cells ------------------------------------------------------------------- */

static size_t
cell_of(const struct axis *a, double value, size_t cells)
{
	double at = floor(axis_position(a, value) * (double)cells);

	return at < 0 ? 0 : at >= (double)cells ? cells - 1 : (size_t)at;
}

/* The ratio of samples from one shade to the next. */
static double
factor_of(size_t most)
{
	return fmax(pow((double)most, 1.0 / COLOUR_STEPS), 1.0001);
}

static size_t
shade_of(size_t count, double factor)
{
	double shade = floor(log((double)count) / log(factor) + ROUNDING);

	return (size_t)fmin(shade, COLOUR_STEPS - 1);
}

static void
add_cell_corners(struct curve *c, const struct picture *p, size_t x, size_t y)
{
	double left = axis_value(&p->x, (double)x / ACROSS);
	double right = axis_value(&p->x, (double)(x + 1) / ACROSS);
	double low = axis_value(&p->y, (double)y / UP);
	double high = axis_value(&p->y, (double)(y + 1) / UP);

	curve_add(c, left, low);
	curve_add(c, right, low);
	curve_add(c, right, high);
	curve_add(c, left, high);
	curve_add(c, NAN, 0);
}

/* "1 sample", "9 to 27 samples": the meaning of a shade. */
static char *
shade_words(size_t least, size_t most)
{
	return least == most
	           ? xasprintf("%zu sample%s", least, least == 1 ? "" : "s")
	           : xasprintf("%zu to %zu samples", least, most);
}

static void
add_shades(struct picture *p, size_t count[ACROSS][UP], size_t most)
{
	double factor = factor_of(most);

	for (size_t shade = 0; shade < COLOUR_STEPS; shade++) {
		struct curve cells = {0};
		size_t least = SIZE_MAX, largest = 0;

		for (size_t x = 0; x < ACROSS; x++) {
			for (size_t y = 0; y < UP; y++) {
				size_t n = count[x][y];

				if (!n || shade_of(n, factor) != shade)
					continue;
				add_cell_corners(&cells, p, x, y);
				least = n < least ? n : least;
				largest = n > largest ? n : largest;
			}
		}
		if (cells.n)
			picture_take(p, STYLE_CELL, shade_words(least, largest),
			             &cells)
			    ->colour = shade;
	}
}

static void
add_cells(struct picture *p, const struct curve *all)
{
	static size_t count[ACROSS][UP];
	size_t most = 1;

	for (size_t i = 0; i < all->n; i++) {
		size_t x = cell_of(&p->x, all->point[i].x, ACROSS);
		size_t y = cell_of(&p->y, all->point[i].y, UP);

		count[x][y]++;
		most = count[x][y] > most ? count[x][y] : most;
	}
	add_shades(p, count, most);
}

/* Axes and marks ---------------------------------------------------------- */

static double
median_of(const struct curve *c)
{
	double *y = xcalloc(c->n, sizeof *y);
	double median;

	for (size_t i = 0; i < c->n; i++)
		y[i] = c->point[i].y;
	median = sorted_middle(y, c->n);
	free(y);
	return median;
}

static void
choose_axes(struct picture *p, const struct samples *s)
{
	struct picture points = {.curve = (struct curve *)&s->all, .n = 1};
	struct value_range x = picture_range(&points, false);
	struct value_range y = picture_range(&points, true);
	char *words = column_words(p->x_column);

	if (!strcmp(unit_of(p->x_column), "ns"))
		axis_time(&p->x, words, x.low, x.high, INFINITY, p->room);
	else
		axis_plain(&p->x, words, x.low, x.high, p->room);
	if (!strcmp(unit_of(s->measure), "ns"))
		axis_time(&p->y, "latency", y.low, y.high,
		          s->all.n ? LOG_TAIL_FROM * median_of(&s->all)
		                   : INFINITY,
		          p->room_y);
	else
		axis_plain(&p->y, "bandwidth (Gbit/s)", y.low, y.high,
		           p->room_y);
	free(words);
}

static void
add_runs(struct picture *p, const struct samples *s)
{
	struct curve lines = {0};

	for (size_t i = 0; i < s->nruns; i++) {
		curve_add(&lines, s->begin[i], p->y.min * p->y.unit);
		curve_add(&lines, s->begin[i], p->y.max * p->y.unit);
		curve_add(&lines, NAN, 0);
	}
	picture_take_if(p, STYLE_LINE, "a run begins", &lines);
}

void
draw_density(struct picture *p, struct table *t)
{
	struct samples s = {0};
	struct names names;

	read_samples(&s, p, t);
	names = names_of(t, &s.keys);
	names_hide_runs(&names);
	names_describe(&names, p, measure_words(s.measure));
	choose_axes(p, &s);
	if (s.all.n)
		add_cells(p, &s.all);
	add_runs(p, &s);
	p->note = xasprintf("%zu samples; the darker, the more", s.all.n);
	if (s.flagged.n > RINGS_MOST)
		s.flagged.n = RINGS_MOST;
	picture_take_if(p, STYLE_RING, "with flags", &s.flagged);
	names_free(&names);
	key_set_free(&s.keys);
	free(s.all.point);
	free(s.flagged.point);
	free(s.begin);
}
