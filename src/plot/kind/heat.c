/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A value over two columns that vary: a cell for each pair. */
#include "common/base/number.h"
#include "common/base/utf8.h"
#include "plot/kind/kind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const measures[] = {"median_ns",     "latency_ns",
                                       "median_gbit_s", "bandwidth_gbit_s",
                                       "ratio_pct",     NULL};

/* Characters of a size. */
#define BYTES_WIDTH 4

/* The distinct values of one column, in order. */
struct heat_axis {
	size_t col;
	bool numbers; /* all are numbers */
	struct value {
		const char *text;
		uint64_t number;
	} * value;
	size_t n;
};

struct heat {
	struct groups cells; /* a group per cell */
	struct heat_axis x, y;
};

/* Sides ------------------------------------------------------------------- */

/* Two columns at most; a size, or the later one, is horizontal. */
static void
choose_sides(struct heat *h, const struct names *names)
{
	char *const *column = names->t->name, *list = NULL;
	size_t col[2] = {SIZE_MAX, SIZE_MAX}, n = 0;

	for (size_t i = 0; i < names->t->ncols; i++) {
		if (names->place[i] != NAME_LEGEND)
			continue;
		if (n < 2)
			col[n] = i;
		xappend(&list, ", ", "%s", column[i]);
		n++;
	}
	if (n > 2)
		die("a map has two axes, and %zu columns vary: %s; "
		    "pcb-stats -g leaves columns out",
		    n, list);
	free(list);
	if (n == 1 ||
	    (n == 2 && is_bytes(column[col[0]]) && !is_bytes(column[col[1]]))) {
		h->x.col = col[0];
		h->y.col = col[1];
	} else {
		h->x.col = col[1];
		h->y.col = col[0];
	}
}

static size_t
find_value(const struct heat_axis *s, const char *text)
{
	size_t i = 0;

	while (i < s->n && strcmp(s->value[i].text, text) != 0)
		i++;
	return i;
}

static int
by_number(const void *a, const void *b)
{
	const struct value *x = a;
	const struct value *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

/* In order of appearance, numbers ascending. A side may have no column. */
static void
list_values(struct heat_axis *s, const struct key_set *keys)
{
	s->numbers = true;
	for (size_t i = 0; i < keys->n; i++) {
		const char *text = key_find(&keys->key[i], s->col);
		struct value value = {text, 0};

		if (find_value(s, text) < s->n)
			continue;
		if (parse_integer(text, &value.number))
			s->numbers = false;
		array_push(s->value, s->n, value);
	}
	if (s->numbers && s->n)
		qsort(s->value, s->n, sizeof *s->value, by_number);
}

/* Shades ------------------------------------------------------------------- */

/* The colours of cells; the picture gets a curve for each shade in use. */
struct shades {
	double low, high; /* of all values */
	double edge[COLOUR_STEPS + 1];
	double unit;
	const char *unit_name;
	struct curve cell[COLOUR_STEPS];
};

/* Above this ratio of the values, steps are factors. */
#define LOG_SCALE_FROM 20

/* From this shade on, numbers are white. */
#define DARK 4

/* One edge fewer than shades: the first edge is rounded down. */
static void
shades_choose(struct shades *s, const char *measure)
{
	struct axis a = {.unit = 1};
	double low, high, step = 1;
	bool log;

	s->unit_name = unit_words(measure);
	if (!strcmp(unit_of(measure), "ns")) {
		axis_time(&a, "", s->low, s->high, INFINITY, 1);
		s->unit_name = a.unit_name;
	}
	s->unit = a.unit;
	axis_free(&a);
	low = s->low / s->unit;
	high = s->high / s->unit;
	log = low > 0 && high > LOG_SCALE_FROM * low;
	if (log) {
		step = pow(high / low, 1.0 / COLOUR_STEPS) * (1 + 1e-9);
	} else if (high > low) {
		step = round_up((high - low) / (COLOUR_STEPS - 1));
		low = step * floor(low / step);
	}
	for (size_t i = 0; i <= COLOUR_STEPS; i++)
		s->edge[i] =
		    log ? low * pow(step, (double)i) : low + step * (double)i;
}

static size_t
shade_of(const struct shades *s, double value)
{
	size_t i = 0;

	while (i + 1 < COLOUR_STEPS && value >= s->edge[i + 1])
		i++;
	return i;
}

/* The colour of a shade: those in use go from the lightest to the darkest. */
static size_t
colour_of(const struct shades *s, size_t shade)
{
	size_t last = shade_of(s, s->high / s->unit);

	return last ? shade * (COLOUR_STEPS - 1) / last : 0;
}

/* Picture ----------------------------------------------------------------- */

/* A side without a column has one value. */
static char *
value_name(const struct names *names, const struct heat_axis *s,
           const char *text)
{
	if (s->col >= names->t->ncols)
		return xstrdup(names_constant(names, "bench"));
	return value_words(names->t->name[s->col], text);
}

static void
choose_axis(struct picture *p, const struct names *names,
            const struct heat_axis *s)
{
	const struct table *t = names->t;
	bool named = s->col < t->ncols;
	bool bytes = named && is_bytes(t->name[s->col]) && s->numbers;
	size_t width = bytes ? BYTES_WIDTH : 0, every;

	p->x.label = column_words(named ? t->name[s->col] : "");
	if (bytes)
		xappend(&p->x.label, " ", "(bytes)");
	p->x.unit = 1;
	p->x.min = 0.5;
	p->x.max = (double)(s->n ? s->n : 1) + 0.5;
	for (size_t i = 0; i < s->n; i++) {
		array_push(p->x.cell, p->x.ncells,
		           value_name(names, s, s->value[i].text));
		if (!bytes)
			width = max_plain_width(width, s->value[i].text);
	}
	every = 1 + s->n * (width + 2) / ((size_t)TIC_WIDTH * room_beside(p));
	for (size_t i = 0; i < s->n; i += every) {
		if (bytes)
			axis_size_tic(&p->x, (double)i + 1,
			              (double)s->value[i].number,
			              s->value[s->n - 1].number > 16384);
		else
			axis_tic(&p->x, (double)i + 1, s->value[i].text);
	}
}

/* Cells contain their numbers if there is room for all. */
static void
add_cells(struct picture *p, struct heat *h, const char *measure)
{
	const struct groups *g = &h->cells;
	bool numbered = h->x.n * 2 <= (size_t)3 * room_beside(p);
	double *median = xcalloc(g->keys.n, sizeof *median);
	struct shades s = {.low = INFINITY, .high = -INFINITY};

	for (size_t i = 0; i < g->keys.n; i++) {
		median[i] = percentile(&g->histogram[i], 50);
		s.low = fmin(s.low, median[i]);
		s.high = fmax(s.high, median[i]);
	}
	if (!g->keys.n)
		s.low = s.high = 0;
	shades_choose(&s, measure);
	for (size_t i = 0; i < g->keys.n; i++) {
		const struct key *key = &g->keys.key[i];
		size_t x = find_value(&h->x, key_find(key, h->x.col));
		size_t y = find_value(&h->y, key_find(key, h->y.col));
		size_t shade = shade_of(&s, median[i] / s.unit);

		add_bar(&s.cell[shade], y, (double)x + 0.5, (double)x + 1.5,
		        CELL);
		curve_say(&s.cell[shade], quantity_words(measure, median[i]));
		if (numbered)
			array_push(p->remark, p->nremarks,
			           (struct remark){
			               y, (double)x + 1,
			               xasprintf("%.4g", median[i] / s.unit),
			               true, colour_of(&s, shade) >= DARK});
	}
	for (size_t i = 0; i < COLOUR_STEPS; i++) {
		char *name =
		    s.low < s.high
		        ? xasprintf("%.4g to %.4g %s", s.edge[i], s.edge[i + 1],
		                    s.unit_name)
		        : xasprintf("%.4g %s", s.low / s.unit, s.unit_name);

		picture_take_if(p, STYLE_CELL, name, colour_of(&s, i),
		                &s.cell[i]);
		free(name);
	}
	free(median);
}

/* Rows with the same key columns share a cell: their median. */
static void
draw(struct picture *p, struct table *t)
{
	struct row_reader rows = {.measures = measures, .lacking = "a measure"};
	struct heat h = {0};
	struct names names;

	read_groups(&h.cells, &rows, t);
	names = names_of(t, &h.cells.keys);
	names_describe(&names, p, measure_words(rows.measure));
	choose_sides(&h, &names);
	list_values(&h.x, &h.cells.keys);
	list_values(&h.y, &h.cells.keys);
	for (size_t i = 0; i < h.y.n; i++)
		add_row(p, value_name(&names, &h.y, h.y.value[i].text));
	choose_axis(p, &names, &h.x);
	add_cells(p, &h, rows.measure);
	free(h.x.value);
	free(h.y.value);
	names_free(&names);
	groups_free(&h.cells);
	row_reader_free(&rows);
}

const struct kind kind_heat = {
    .name = "heat",
    .help = "latency or bandwidth over two columns",
    .draw = draw,
};
