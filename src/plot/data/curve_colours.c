/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives one colour to curves that differ only in their source. */
#include "plot/data/curve_colours.h"

#include "common/base/util.h"

#include <stdlib.h>
#include <string.h>

struct text_pair {
	const char *from, *text;
};

static int
by_from(const void *a, const void *b)
{
	const struct text_pair *x = a;
	const struct text_pair *y = b;

	return strcmp(x->from, y->from);
}

bool
key_follows(size_t col, size_t from, const struct key_set *keys)
{
	struct text_pair *pair = xcalloc(keys->n, sizeof *pair);
	bool same = true;

	for (size_t i = 0; i < keys->n; i++) {
		pair[i].from = key_find(&keys->key[i], from);
		pair[i].text = key_find(&keys->key[i], col);
	}
	qsort(pair, keys->n, sizeof *pair, by_from);
	for (size_t i = 1; i < keys->n; i++) {
		if (!by_from(&pair[i - 1], &pair[i]) &&
		    strcmp(pair[i - 1].text, pair[i].text) != 0)
			same = false;
	}
	free(pair);
	return same;
}

size_t
number_keys(size_t number[], const struct key_set *keys, const bool *in,
            size_t ncols)
{
	struct key_set parts = {0};
	struct key part = {0};
	size_t n;

	for (size_t i = 0; i < keys->n; i++) {
		size_t at = 0;

		part.length = 0;
		for (size_t col = 0; col < ncols; col++) {
			const char *text = key_text(&keys->key[i], col, &at);

			if (in[col])
				key_append(&part, col, text);
		}
		number[i] = key_set_intern(&parts, &part);
	}
	n = parts.n;
	free(part.bytes);
	key_set_free(&parts);
	return n;
}

/*
 * Gives one colour to keys that agree in these columns; returns the number of
 * colours.
 */
static size_t
give_colours(struct curve_style *style, const struct key_set *keys,
             const bool *in, size_t ncols)
{
	size_t *number = xcalloc(keys->n, sizeof *number);
	size_t colours = number_keys(number, keys, in, ncols);

	for (size_t i = 0; i < keys->n; i++)
		style[i].colour = number[i];
	free(number);
	return colours;
}

struct curve_style *
run_styles_of(const struct table *t, const struct key_set *keys)
{
	ptrdiff_t run = table_find(t, "run");
	struct curve_style *style = xcalloc(keys->n, sizeof *style);
	size_t *first = xcalloc(keys->n, sizeof *first);
	bool *in = xcalloc(t->ncols, sizeof *in);

	for (size_t i = 0; i < t->ncols; i++)
		in[i] = (ptrdiff_t)i != run;
	give_colours(style, keys, in, t->ncols);
	for (size_t i = keys->n; i-- > 0;)
		first[style[i].colour] = i;
	for (size_t i = 0; i < keys->n; i++) {
		style[i].repeated = first[style[i].colour] != i;
		style[first[style[i].colour]].runs++;
	}
	for (size_t i = 0; i < keys->n; i++)
		style[i].runs = style[first[style[i].colour]].runs;
	free(first);
	free(in);
	return style;
}

struct curve_style *
curve_styles_of(const struct table *t, const struct key_set *keys)
{
	ptrdiff_t kind = table_find(t, "kind");
	struct curve_style *run = run_styles_of(t, keys);
	struct curve_style *style = xcalloc(keys->n, sizeof *style);
	bool *in = xcalloc(t->ncols, sizeof *in);

	/* Without columns that describe the source of a curve. */
	for (size_t i = 0; i < t->ncols; i++)
		in[i] = strcmp(t->name[i], "run") != 0 &&
		        !(kind >= 0 && key_follows(i, (size_t)kind, keys));
	if (kind < 0 || give_colours(style, keys, in, t->ncols) < 2) {
		free(style);
		free(in);
		return run;
	}
	for (size_t i = 0; i < keys->n; i++) {
		size_t k = 0;

		/* Dashed if one with another name had its colour before. */
		while (style[k].colour != style[i].colour)
			k++;
		style[i].dashed = run[k].colour != run[i].colour;
		style[i].repeated = run[i].repeated;
		style[i].runs = run[i].runs;
	}
	free(in);
	free(run);
	return style;
}
