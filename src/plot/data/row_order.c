/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Orders the rows of a list so that compared ones are next to each other. */
#include "plot/data/row_order.h"

#include "common/base/util.h"
#include "plot/data/curve_colours.h"

#include <stdlib.h>
#include <string.h>

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

/* Whether the column may be the compared one. */
static bool
may_be_compared(const struct names *names, size_t col)
{
	return names->place[col] == NAME_LEGEND &&
	       strcmp(names->t->name[col], "run") != 0;
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
	size_t least = COMPARED_MOST + 1;
	ptrdiff_t found = -1;

	for (size_t col = 0; col < names->t->ncols; col++) {
		size_t n;

		if (!may_be_compared(names, col))
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

static void
name_values(struct row_order *o, const struct names *names,
            const struct key_set *keys, size_t col)
{
	for (size_t i = 0; i < keys->n; i++) {
		char **value = &o->value[o->colour[i]];

		if (!*value)
			*value = value_words(names->t->name[col],
			                     key_find(&keys->key[i], col));
	}
}

struct row_order
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
		name_values(&o, names, keys, (size_t)compared);
	}
	sort_rows(&o, names, keys, compared);
	return o;
}

void
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

void
row_order_free(struct row_order *o)
{
	for (size_t i = 0; i < o->ncolours; i++)
		free(o->value[i]);
	free(o->key);
	free(o->colour);
	*o = (struct row_order){0};
}
