/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Distributions of many groups as rows of box plots. */
#include "common/base/util.h"
#include "plot/data/captions.h"
#include "plot/data/curve_colours.h"
#include "plot/data/samples.h"
#include "plot/kind/kind.h"
#include "plot/picture/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Order and colours of rows ------------------------------------------------ */

/* A column with more values is not compared. */
#define COMPARED_MOST 6

/* */
struct row_order {
	size_t *key;    /* index of each row's key */
	size_t *colour; /* of each key: number of its compared value */
	size_t ncolours;
	char *value[COMPARED_MOST]; /* such as "cache cold"; NULL if only one */
};

/* Sort key of a row. */
struct row_place {
	size_t rest;     /* number of the key without run and compared column */
	size_t compared; /* number of the compared value */
	size_t key;
};

static int
by_place(const void *a, const void *b)
{
	const struct row_place *x = a, *y = b;

	if (x->rest != y->rest)
		return x->rest < y->rest ? -1 : 1;
	if (x->compared != y->compared)
		return x->compared < y->compared ? -1 : 1;
	return (x->key > y->key) - (x->key < y->key);
}

/* Numbers the values of a column, including ""; returns how many there are. */
static size_t
number_values(size_t number[], const struct key_set *keys, size_t col,
              size_t ncols)
{
	bool *in = xcalloc(ncols, sizeof *in);
	size_t n;

	in[col] = true;
	n = number_keys(number, keys, in, ncols);
	free(in);
	return n;
}

/* The compared column, or -1; overwrites `number`. */
static ptrdiff_t
compared_column(const struct names *names, const struct key_set *keys,
                size_t number[])
{
	size_t least = COMPARED_MOST;
	ptrdiff_t found = -1;

	for (size_t col = 0; col < names->t->ncols; col++) {
		size_t n;

		if (names->place[col] != NAME_LEGEND ||
		    !strcmp(names->t->name[col], "run"))
			continue;
		n = number_values(number, keys, col, names->t->ncols);
		if (n > 1 && n <= least && n < keys->n) {
			least = n;
			found = (ptrdiff_t)col;
		}
	}
	return found;
}

/* Sorts the rows by the columns that are not compared, then by that one. */
static void
sort_rows(struct row_order *o, const struct names *names,
          const struct key_set *keys, ptrdiff_t compared)
{
	struct row_place *place = xcalloc(keys->n, sizeof *place);
	size_t *rest = xcalloc(keys->n, sizeof *rest);
	bool *in = xcalloc(names->t->ncols, sizeof *in);

	for (size_t col = 0; col < names->t->ncols; col++)
		in[col] = (ptrdiff_t)col != compared &&
		          strcmp(names->t->name[col], "run") != 0;
	number_keys(rest, keys, in, names->t->ncols);
	for (size_t i = 0; i < keys->n; i++)
		place[i] = (struct row_place){rest[i], o->colour[i], i};
	qsort(place, keys->n, sizeof *place, by_place);
	for (size_t i = 0; i < keys->n; i++)
		o->key[i] = place[i].key;
	free(place);
	free(rest);
	free(in);
}

/*
 * The order of all keys. Compares the column, of those of the legend except
 * `run`, with the fewest values: keys that differ only in it have adjacent
 * rows, and so have runs of one condition. Without other varying columns, or
 * with more than COMPARED_MOST values, there is one colour.
 */
static struct row_order
row_order_of(const struct names *names, const struct key_set *keys)
{
	struct row_order o = {.key = xcalloc(keys->n, sizeof *o.key),
	                      .colour = xcalloc(keys->n, sizeof *o.colour),
	                      .ncolours = 1};
	ptrdiff_t compared = compared_column(names, keys, o.key);

	if (!keys->n)
		return o;
	if (compared >= 0) {
		o.ncolours = number_values(o.colour, keys, (size_t)compared,
		                           names->t->ncols);
		for (size_t i = 0; i < keys->n; i++) {
			char **value = &o.value[o.colour[i]];

			if (!*value)
				*value = value_words(
				    names->t->name[compared],
				    key_find(&keys->key[i], (size_t)compared));
		}
	}
	sort_rows(&o, names, keys, compared);
	return o;
}

/*
 * Adds the bars of each colour that has some, and names them "WHAT" or, with
 * several colours, "WHAT, cache cold". Takes their points.
 */
static void
row_order_take(const struct row_order *o, struct picture *p, const char *what,
               struct curve bars[])
{
	for (size_t i = 0; i < o->ncolours; i++) {
		char *name;

		if (!bars[i].n)
			continue;
		name = o->value[i] ? xasprintf("%s, %s", what, o->value[i])
		                   : xstrdup(what);
		picture_take(p, STYLE_BAR, name, &bars[i])->colour = i;
	}
}

/* Boxes -------------------------------------------------------------------- */

/* Curves for all groups, in drawing order. */
struct box {
	struct curve whiskers, quartiles[COMPARED_MOST], median, floor;
	double low, high, typical;
};

static double
percentile(const struct histogram *d, uint64_t pct)
{
	return histogram_quantile(d, (struct fraction){pct, 100});
}

static void
add_box(struct box *b, size_t row, const struct histogram *d, size_t colour)
{
	double median = percentile(d, 50);

	add_line(&b->whiskers, row, percentile(d, 5), percentile(d, 95));
	add_bar(&b->quartiles[colour], row, percentile(d, 25),
	        percentile(d, 75));
	add_across(&b->median, row, median, STROKE);
	curve_add(&b->floor, histogram_nth(d, 0), (double)row + 1);
	b->low = fmin(b->low, histogram_nth(d, 0));
	b->high = fmax(b->high, percentile(d, 95));
	b->typical = fmin(b->typical, median);
}

static void
draw_groups(struct picture *p, const struct groups *g,
            const struct names *names)
{
	struct box b = {
	    .low = INFINITY, .high = -INFINITY, .typical = INFINITY};
	struct row_order o = row_order_of(names, &g->keys);

	for (size_t i = 0; i < g->keys.n; i++) {
		size_t key = o.key[i];
		char *name = names_key(names, &g->keys, key,
		                       names_constant(names, "bench"));

		add_box(&b, add_row(p, name), &g->histogram[key],
		        o.colour[key]);
	}
	picture_take_if(p, STYLE_MARK, "minimum", &b.floor);
	picture_take_if(p, STYLE_LINE, "p5 to p95", &b.whiskers);
	row_order_take(&o, p, "quartiles", b.quartiles);
	picture_take_if(p, STYLE_STROKE, "median", &b.median);
	if (!p->nrows)
		b.low = b.high = b.typical = 0;
	axis_time(&p->x, "latency", b.low, b.high, LOG_FROM * b.typical,
	          room_beside(p));
	axis_few_tics(&p->x, room_beside(p));
	for (size_t i = 0; i < o.ncolours; i++)
		free(o.value[i]);
	free(o.key);
	free(o.colour);
}

static void
draw(struct picture *p, struct table *t)
{
	draw_samples(p, t, RUNS_APART, draw_groups);
}

const struct kind kind_box = {
    .name = "box",
    .help = "median, quartiles, p5, p95 and minimum of many groups",
    .takes = TAKES_COLUMN,
    .draw = draw,
};
