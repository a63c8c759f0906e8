/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses the curves that get a name if there are many. */
#include "plot/data/sample_curves.h"

#include "common/base/util.h"
#include "plot/picture/ascending.h"

#include <math.h>
#include <stdlib.h>

/* Most named conditions; most named ones if there are others. */
#define NAMED_MOST 8
#define APART_MOST 7

/* A condition, judged by its first run. */
struct condition {
	size_t group;
	double far; /* per cent from the median of all */
};

static double
median_of(const struct groups *g, size_t i)
{
	return histogram_quantile(&g->histogram[i], (struct fraction){1, 2});
}

static int
furthest_first(const void *a, const void *b)
{
	const struct condition *x = a;
	const struct condition *y = b;

	if (x->far != y->far)
		return x->far > y->far ? -1 : 1;
	return (x->group > y->group) - (x->group < y->group);
}

/* With a median of 0 there are no per cent: all differences count the same. */
static double
percent_off(double median, double middle)
{
	if (median == middle)
		return 0;
	return middle != 0 ? 100 * fabs(median / middle - 1) : 100;
}

/* Lists the conditions, furthest first; returns their number. */
static size_t
list_conditions(struct condition *c, const struct curve_style *style,
                const struct groups *g)
{
	double *median = xcalloc(g->keys.n, sizeof *median);
	double middle;
	size_t n = 0;

	for (size_t i = 0; i < g->keys.n; i++) {
		if (style[i].repeated)
			continue;
		c[n].group = i;
		median[n++] = median_of(g, i);
	}
	middle = n ? sorted_middle(median, n) : 0;
	free(median);
	for (size_t i = 0; i < n; i++)
		c[i].far = percent_off(median_of(g, c[i].group), middle);
	if (n)
		qsort(c, n, sizeof *c, furthest_first);
	return n;
}

/* "793 others, medians within 3 %" */
static char *
others_words(const struct condition *c, size_t n)
{
	return xasprintf("%zu others, medians within %.2g %%", n - APART_MOST,
	                 c[APART_MOST].far);
}

/* Draws curves of unnamed conditions thin and in one colour. */
static void
join_others(struct sample_curve *curve, const struct curve_style *style,
            const struct groups *g, const struct condition *c, size_t n)
{
	size_t *colour = xcalloc(n, sizeof *colour);
	bool said = false;

	for (size_t k = 0; k < APART_MOST; k++)
		colour[style[c[k].group].colour] = k + 1;
	for (size_t i = 0; i < g->keys.n; i++) {
		curve[i].colour = colour[style[i].colour];
		if (curve[i].colour)
			continue;
		free(curve[i].name);
		curve[i].name = said ? NULL : others_words(c, n);
		curve[i].thin = said = true;
	}
	free(colour);
}

struct sample_curve *
sample_curves_of(const struct names *names, const struct groups *g)
{
	struct curve_style *style = run_styles_of(names->t, &g->keys);
	struct sample_curve *curve = xcalloc(g->keys.n, sizeof *curve);
	struct condition *c = xcalloc(g->keys.n, sizeof *c);
	size_t n = list_conditions(c, style, g);

	for (size_t i = 0; i < g->keys.n; i++)
		curve[i] = (struct sample_curve){
		    .name = names_run(names_key(names, &g->keys, i, ""),
		                      style[i].runs, style[i].repeated),
		    .colour = style[i].colour,
		    .thin = style[i].runs > 1,
		};
	if (n > NAMED_MOST)
		join_others(curve, style, g, c, n);
	free(style);
	free(c);
	return curve;
}
