/* Every sample as a point, in order or against another column. */
#include "common/keys.h"
#include "common/names.h"
#include "plot/describe.h"
#include "plot/kind.h"
#include "plot/rows.h"
#include "plot/thin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So many points make a script of some hundred thousand bytes. */
#define POINTS_MOST 15000

/* Samples that are looked at to find out what is typical. */
#define LOOKED_AT 1001

static const char order[] = "seq";

static const char *const measures[] = {"latency_ns", "bandwidth_gbit_s",
                                       "median_ns", "median_gbit_s", NULL};

/* What the rows of the input become, one after the other. */
struct reader {
	const char *x;       /* the column of the axis, or NULL: the order */
	const char *measure; /* that of the first row, or NULL */
	struct keys keys;
	struct curve *curve; /* for each of them */
	size_t n;
	struct identity id;
	struct key key;        /* of the current row */
	struct curve *current; /* that of this key; NULL: not looked up yet */
	uintmax_t skipped;
};

/* Reading ----------------------------------------------------------------- */

static struct curve *
find_curve(struct reader *r)
{
	size_t i = keys_number(&r->keys, &r->key);

	if (i == r->n) {
		r->curve = xreallocarray(r->curve, ++r->n, sizeof *r->curve);
		r->curve[r->n - 1] = (struct curve){0};
	}
	return &r->curve[i];
}

/* Where on the axis: what a column says, or the next one. */
static double
place_of(const struct reader *r, const struct table *t)
{
	if (r->x)
		return row_value(t, (size_t)table_find(t, r->x));
	if (row_has(t, order))
		return row_value(t, (size_t)table_find(t, order));
	if (row_weight(t) != 1)
		table_die(t, (size_t)table_find(t, "count"),
		          "a histogram has no order; --x names another column");
	return (double)r->current->n + 1;
}

static void
take_row(struct reader *r, const struct table *t)
{
	const char *measure = row_measure(t, measures, &r->measure);

	if (identity_key(&r->id, t, &r->key))
		r->current = NULL;
	if (!measure || (r->x && !row_has(t, r->x))) {
		r->skipped++;
		return;
	}
	if (!row_weight(t))
		return;
	if (!r->current)
		r->current = find_curve(r);
	curve_add(r->current, place_of(r, t),
	          row_value(t, (size_t)table_find(t, measure)));
}

static void
read_points(struct reader *r, struct table *t)
{
	while (table_next(t))
		take_row(r, t);
	if (r->x)
		need_column(t, r->x);
	need_measure(t, measures);
	warn_skipped(r->skipped, r->x ? r->x : "a measure");
	free(r->id.col);
	free(r->key.bytes);
}

/* Axes -------------------------------------------------------------------- */

static int
ascending(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

struct extent {
	double low, high, typical;
};

/* Of all points, in this coordinate; the median of some is typical. */
static struct extent
extent_of(const struct picture *p, bool of_y)
{
	struct extent e = {INFINITY, -INFINITY, 0};
	double some[LOOKED_AT];
	size_t all = 0;
	size_t n = 0;
	size_t i = 0;

	for (size_t c = 0; c < p->n; c++)
		all += p->curve[c].n;
	for (size_t c = 0; c < p->n; c++) {
		for (size_t k = 0; k < p->curve[c].n; k++, i++) {
			struct point at = p->curve[c].point[k];
			double value = of_y ? at.y : at.x;

			e.low = fmin(e.low, value);
			e.high = fmax(e.high, value);
			if (i >= n * all / LOOKED_AT && n < LOOKED_AT)
				some[n++] = value;
		}
	}
	if (!n)
		return (struct extent){0};
	qsort(some, n, sizeof *some, ascending);
	e.typical = some[n / 2];
	return e;
}

static void
choose_axis(struct picture *p, struct axis *a, const char *column, bool of_y)
{
	struct extent e = extent_of(p, of_y);
	char *words = column_words(column);
	const char *unit = unit_of(column);
	char *label;

	if (!strcmp(unit, "ns")) {
		axis_time(a, words, e.low, e.high, e.typical,
		          of_y ? p->room_y : p->room);
	} else {
		label = *unit ? xasprintf("%s (%s)", words,
		                          !strcmp(unit, "gbit_s")  ? "Gbit/s"
		                          : !strcmp(unit, "per_s") ? "1/s"
		                                                   : "%")
		              : xstrdup(words);
		axis_plain(a, label, e.low, e.high);
		free(label);
	}
	free(words);
}

static void
choose_axes(struct picture *p, const struct reader *r)
{
	char *words = column_words(r->x ? r->x : "sample");

	if (r->x && is_bytes(r->x))
		axis_of_sizes(p, words);
	else
		choose_axis(p, &p->x, r->x ? r->x : "sample", false);
	choose_axis(p, &p->y, r->measure ? r->measure : measures[0], true);
	free(words);
}

/* Picture ----------------------------------------------------------------- */

static void
add_points(struct picture *p, const struct names *names, struct reader *r)
{
	for (size_t i = 0; i < r->n; i++)
		picture_take(p, STYLE_DOTS,
		             names_legend(names, &r->keys.key[i]),
		             &r->curve[i]);
	free(r->curve);
}

/* Says how many of the samples are left out. */
static void
leave_out(struct picture *p)
{
	size_t all = 0;
	size_t left = 0;
	unsigned dots;

	for (size_t i = 0; i < p->n; i++)
		all += p->curve[i].n;
	dots = thin(p, POINTS_MOST);
	for (size_t i = 0; i < p->n; i++)
		left += p->curve[i].n;
	if (dots)
		p->note = xasprintf("%zu samples as %zu points: of those "
		                    "within %u dot%s one is drawn",
		                    all, left, dots, dots == 1 ? "" : "s");
}

static void
draw(struct picture *p, struct table *t)
{
	struct reader r = {.x = p->x_column, .id.except = p->x_column};
	struct names names;

	read_points(&r, t);
	names = names_of(t, &r.keys);
	names_describe(&names, p,
	               !r.measure || !strcmp(unit_of(r.measure), "ns")
	                   ? "Latency"
	                   : "Bandwidth");
	add_points(p, &names, &r);
	choose_axes(p, &r);
	leave_out(p);
	names_free(&names);
	keys_free(&r.keys);
}

const struct kind kind_scatter = {
    .name = "scatter",
    .help = "every sample, in order or against the column that --x names",
    .draw = draw,
    .takes_x = true,
};
