/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Distributions of many groups as rows of box plots. */
#include "common/base/util.h"
#include "plot/kind/kind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Order and colours of rows ------------------------------------------------ */

/* A column with more values is not compared. */
#define COMPARED_MOST 6

struct row_order {
	size_t *key;    /* index of each row's key */
	size_t *colour; /* of each key: number of its compared value */
	size_t ncolours;
	char *value[COMPARED_MOST]; /* such as "cache cold"; NULL if only one */
};

/* Sort key of a row. */
struct row_place {
	size_t rest;     /* number of the key without the compared column */
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

/*
 * The order of all keys. Compares the column, of those of the legend, with the
 * fewest values: keys that differ only in it have adjacent rows. Without other
 * varying columns, or with more than COMPARED_MOST values, there is one colour.
 */
static struct row_order
row_order_of(const struct names *names, const struct key_set *keys)
{
	struct row_order o = {.key = xcalloc(keys->n, sizeof *o.key),
	                      .colour = xcalloc(keys->n, sizeof *o.colour),
	                      .ncolours = 1};
	size_t ncols = names->t->ncols, compared = ncols;
	size_t least = COMPARED_MOST;
	size_t *number = xcalloc(keys->n, sizeof *number);
	struct row_place *place = xcalloc(keys->n, sizeof *place);
	bool *in = xcalloc(ncols, sizeof *in);

	for (size_t col = 0; col < ncols; col++) {
		size_t n;

		if (names->place[col] != NAME_LEGEND)
			continue;
		in[col] = true;
		n = number_keys(number, keys, in, ncols);
		in[col] = false;
		if (n < 2 || n > least || n >= keys->n)
			continue;
		least = o.ncolours = n;
		compared = col;
		memcpy(o.colour, number, keys->n * sizeof *number);
	}
	for (size_t i = 0; compared < ncols && i < keys->n; i++) {
		char **value = &o.value[o.colour[i]];

		if (!*value)
			*value = value_words(names->t->name[compared],
			                     key_find(&keys->key[i], compared));
	}
	for (size_t col = 0; col < ncols; col++)
		in[col] = col != compared;
	number_keys(number, keys, in, ncols);
	for (size_t i = 0; i < keys->n; i++)
		place[i] = (struct row_place){number[i], o.colour[i], i};
	if (keys->n)
		qsort(place, keys->n, sizeof *place, by_place);
	for (size_t i = 0; i < keys->n; i++)
		o.key[i] = place[i].key;
	free(number);
	free(place);
	free(in);
	return o;
}

/* Boxes -------------------------------------------------------------------- */

/* Curves for all groups, in drawing order. */
struct box {
	struct curve whiskers, quartiles[COMPARED_MOST], median, floor;
	double low, high, typical;
};

static void
add_box(struct box *b, size_t row, const struct histogram *d, size_t colour)
{
	double median = percentile(d, 50);
	struct curve *mark[] = {&b->whiskers, &b->quartiles[colour], &b->median,
	                        &b->floor};

	add_line(&b->whiskers, row, percentile(d, 5), percentile(d, 95));
	add_bar(&b->quartiles[colour], row, percentile(d, 25),
	        percentile(d, 75), STROKE);
	add_across(&b->median, row, median, STROKE);
	curve_add(&b->floor, histogram_nth(d, 0), (double)row + 1);
	for (size_t i = 0; i < ARRAY_LEN(mark); i++)
		curve_say(mark[i],
		          xasprintf("minimum %.10g, p5 %.10g, quartiles %.10g "
		                    "and %.10g, median %.10g, p95 %.10g ns; "
		                    "%ju samples",
		                    histogram_nth(d, 0), percentile(d, 5),
		                    percentile(d, 25), percentile(d, 75),
		                    median, percentile(d, 95),
		                    (uintmax_t)d->n));
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
	picture_take_if(p, STYLE_MARK, "minimum", COLOUR_NONE, &b.floor);
	picture_take_if(p, STYLE_LINE, "p5 to p95", COLOUR_NONE, &b.whiskers);
	for (size_t i = 0; i < o.ncolours; i++) {
		char *name = o.value[i] ? xasprintf("quartiles, %s", o.value[i])
		                        : xstrdup("quartiles");

		picture_take_if(p, STYLE_BAR, name, i, &b.quartiles[i]);
		free(name);
		free(o.value[i]);
	}
	picture_take_if(p, STYLE_STROKE, "median", COLOUR_NONE, &b.median);
	if (!p->nrows)
		b.low = b.high = b.typical = 0;
	axis_time(&p->x, "latency", b.low, b.high, LOG_FROM * b.typical,
	          room_beside(p));
	axis_few_tics(&p->x, room_beside(p));
	free(o.key);
	free(o.colour);
}

const struct kind kind_box = {
    .name = "box",
    .help = "median, quartiles, p5, p95 and minimum of many groups",
    .takes = TAKES_COLUMN,
    .draw_groups = draw_groups,
    .pooled = true,
};
