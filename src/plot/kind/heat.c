/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A value for each pair of two columns: heat; of two devices: matrix. */
#include "common/base/number.h"
#include "common/base/utf8.h"
#include "common/base/util.h"
#include "plot/kind/kind.h"

#include <math.h>

static const char *const measures[] = {
    "median_ns",        "latency_ns", "mean_ns", "median_gbit_s",
    "bandwidth_gbit_s", "ratio_pct",  NULL};

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
	const struct value *x = a, *y = b;

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

/* Cells ------------------------------------------------------------------- */

/* Above this ratio of the values, equal shades are equal factors. */
#define LOG_SCALE_FROM 20

/* The least difference of the ends of a scale, as a part of the highest. */
#define LEAST_SPAN 0.1

/* From this part of the shades on, numbers are white. */
#define DARK 0.4

struct cell {
	size_t x, y;
	double value, same_scale; /* NAN: none; of another panel */
	char *says;               /* for the pointer */
	bool apart;               /* without a shade */
};

/* Sets the range and the unit of shades; returns that as in struct axis. */
static double
choose_shades(struct shades *s, const struct cell *cell, size_t n,
              const char *measure)
{
	struct axis a = {0};
	double low = INFINITY, high = -INFINITY, unit;

	for (size_t i = 0; i < n; i++) {
		if (cell[i].apart)
			continue;
		low = fmin(low, fmin(cell[i].value, cell[i].same_scale));
		high = fmax(high, fmax(cell[i].value, cell[i].same_scale));
	}
	if (!(low <= high))
		low = high = 0;
	axis_values(&a, "", unit_words(measure), low, high, INFINITY, 1);
	s->label = xstrdup(a.unit_name);
	s->log = low > 0 && high > LOG_SCALE_FROM * low;
	unit = a.unit;
	axis_free(&a);
	/* A small difference must not look like a large one. */
	if (high - low < LEAST_SPAN * fabs(high))
		high = low + LEAST_SPAN * fabs(high);
	if (low == high)
		high++;
	s->low = low / unit;
	s->high = high / unit;
	return unit;
}

/* The part of the shades below a value, from 0 to 1. */
static double
shade_of(const struct shades *s, double value)
{
	return s->log ? log(value / s->low) / log(s->high / s->low)
	              : (value - s->low) / (s->high - s->low);
}

/* Digits of numbers in the cells, so that all fit; 0: none do. */
static int
digits_that_fit(const struct picture *p, const struct cell *cell, size_t n,
                size_t columns, double unit)
{
	for (int digits = 4; digits > 1; digits--) {
		size_t widest = 0;

		for (size_t i = 0; i < n; i++) {
			char *text = number_words(cell[i].value / unit, digits);

			if (!isnan(cell[i].value) && strlen(text) > widest)
				widest = strlen(text);
			free(text);
		}
		if (columns * (widest + 1) <=
		    (size_t)TIC_WIDTH * room_beside(p))
			return digits;
	}
	return 0;
}

/*
 * Draws cells in the rows of a panel; if there is room for all numbers, with
 * these. Takes their texts.
 */
static void
add_cells(struct picture *p, const struct cell *cell, size_t n, size_t columns,
          const char *measure)
{
	struct curve shaded = {0}, apart = {0};
	double unit = choose_shades(&p->shades, cell, n, measure);
	int digits = digits_that_fit(p, cell, n, columns, unit);

	for (size_t i = 0; i < n; i++) {
		const struct cell *c = &cell[i];
		double value = c->value / unit, x = (double)c->x + 1;

		if (isnan(value)) {
			free(c->says);
			continue;
		}
		if (c->apart) {
			add_bar(&apart, c->y, x - 0.5, x + 0.5, WHOLE_ROW);
		} else {
			curve_add(&shaded, x, (double)c->y + 1);
			shaded.point[shaded.n - 1].z = value;
		}
		curve_say(c->apart ? &apart : &shaded, c->says);
		if (digits)
			array_push(p->remark, p->nremarks,
			           (struct remark){
			               c->y, x, number_words(value, digits),
			               true,
			               !c->apart &&
			                   shade_of(&p->shades, value) > DARK});
	}
	picture_take_if(p, STYLE_CELL, NULL, COLOUR_NONE, &shaded);
	picture_take_if(p, STYLE_PALE, NULL, COLOUR_NONE, &apart);
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

static void
add_medians(struct picture *p, const struct heat *h, const char *measure)
{
	const struct groups *g = &h->cells;
	struct cell *cell = xcalloc(g->keys.n, sizeof *cell);

	for (size_t i = 0; i < g->keys.n; i++) {
		const struct key *key = &g->keys.key[i];
		double median = percentile(&g->histogram[i], 50);

		cell[i] = (struct cell){
		    .x = find_value(&h->x, key_find(key, h->x.col)),
		    .y = find_value(&h->y, key_find(key, h->y.col)),
		    .value = median,
		    .same_scale = median,
		    .says = quantity_words(measure, median),
		};
	}
	add_cells(p, cell, g->keys.n, h->x.n, measure);
	free(cell);
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
	say_runs(p, &rows);
	choose_sides(&h, &names);
	list_values(&h.x, &h.cells.keys);
	list_values(&h.y, &h.cells.keys);
	for (size_t i = 0; i < h.y.n; i++)
		add_row(p, value_name(&names, &h.y, h.y.value[i].text));
	choose_axis(p, &names, &h.x);
	if (h.cells.keys.n)
		add_medians(p, &h, rows.measure);
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

/* Matrix ------------------------------------------------------------------- */

/* A transfer from one device to another; then the median of its runs. */
struct transfer {
	size_t from, to,
	    test;         /* indices of the devices; of the other columns */
	double value[3];  /* bandwidth or latency, its bound, their ratio */
	double low, high; /* of the runs */
	size_t runs;
	bool near, same_socket; /* it passes no root complex; no socket */
};

struct device {
	size_t number, island, socket; /* the first device of each */
};

struct matrix {
	const char *measure;
	struct key_set devices, tests;
	struct transfer *transfer;
	size_t n;
	const char **name;     /* of devices, in their order */
	struct device *device; /* in the order of the tree */
};

/* The columns of both ends, of which a row has the first pair it can. */
static const char *const pairs[][2] = {{"from", "to"},
                                       {"source", "destination"},
                                       {"device", "peer"},
                                       {"cpu_node", "node"}};

/* Columns that tell tests apart: not those of a transfer or its model. */
static bool
tells_tests(const char *column)
{
	static const char *const transfer[] = {
	    "from",       "to",
	    "device",     "peer",
	    "source",     "destination",
	    "link",       "cpu_node",
	    "node",       "run",
	    "limited_by", "crosses",
	    "flags",      "model_accounting"};

	return find_word(column, transfer, ARRAY_LEN(transfer)) ==
	       ARRAY_LEN(transfer);
}

static void
read_matrix(struct matrix *m, struct row_reader *r, struct table *t)
{
	const char *from = "", *to = "", *crosses;
	uintmax_t skipped = 0;

	while (row_reader_next(r, t)) {
		size_t i = 0;

		do {
			from = optional_text(t, pairs[i][0]);
			to = optional_text(t, pairs[i][1]);
		} while ((!*from || !*to) && ++i < ARRAY_LEN(pairs));
		/* pcb-model flows ends with totals. */
		if (!strcmp(optional_text(t, "from"), "total"))
			continue;
		if (i == ARRAY_LEN(pairs)) {
			trace_skipped(t, "both ends");
			skipped++;
			continue;
		}
		crosses = optional_text(t, "crosses");
		array_push(m->transfer, m->n,
		           (struct transfer){
		               .from = key_set_intern_text(&m->devices, from),
		               .to = key_set_intern_text(&m->devices, to),
		               .test = row_key(&m->tests, t, tells_tests),
		               .runs = 1,
		               .value = {row_value(t, r->col),
		                         row_number(t, "model_gbit_s"),
		                         row_number(t, "model_ratio_pct")},
		               .near = !*crosses && row_has(t, "model_gbit_s"),
		               .same_socket = strcmp(crosses, "socket") != 0 &&
		                              row_has(t, "model_gbit_s"),
		           });
	}
	for (size_t i = 0; i < ARRAY_LEN(pairs) && skipped && !m->n; i++) {
		if (table_find(t, pairs[i][0]) >= 0 &&
		    table_find(t, pairs[i][1]) >= 0)
			die("%s: no row has both ends, such as %s and %s",
			    t->file, pairs[i][0], pairs[i][1]);
	}
	if (skipped && !m->n)
		need_column(t, pairs[0][0]);
	warn_skipped(skipped, "both ends");
	m->measure = r->measure;
}

static int
by_cell(const void *a, const void *b)
{
	const struct transfer *x = a, *y = b;

	if (x->test != y->test)
		return x->test < y->test ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return (x->value[0] > y->value[0]) - (x->value[0] < y->value[0]);
}

/* Keeps the middle one of several rows of a cell, as of runs. */
static void
merge_runs(struct matrix *m)
{
	size_t n = 0;

	if (m->n)
		qsort(m->transfer, m->n, sizeof *m->transfer, by_cell);
	for (size_t i = 0, k; i < m->n; i = k) {
		const struct transfer *t = &m->transfer[i];
		struct transfer middle;

		for (k = i + 1; k < m->n && m->transfer[k].test == t->test &&
		                m->transfer[k].from == t->from &&
		                m->transfer[k].to == t->to;)
			k++;
		middle = m->transfer[(i + k) / 2];
		middle.value[0] = middle.value[0] / 2 +
		                  m->transfer[(i + k - 1) / 2].value[0] / 2;
		middle.low = t->value[0];
		middle.high = m->transfer[k - 1].value[0];
		middle.runs = k - i;
		m->transfer[n++] = middle;
	}
	m->n = n;
}

static int
by_island(const void *a, const void *b)
{
	const struct device *x = a, *y = b;

	if (x->socket != y->socket)
		return x->socket < y->socket ? -1 : 1;
	if (x->island != y->island)
		return x->island < y->island ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* Gives both the smaller number; returns whether they differed. */
static bool
join(size_t *a, size_t *b)
{
	bool differ = *a != *b;

	*a = *b = *a < *b ? *a : *b;
	return differ;
}

/* gpu2 before gpu10 */
static int
by_name(const void *a, const void *b)
{
	return strverscmp(key_find(*(struct key *const *)a, 0),
	                  key_find(*(struct key *const *)b, 0));
}

/* Numbers the devices in the order of their names. */
static void
sort_devices(struct matrix *m)
{
	size_t n = m->devices.n, *rank = xcalloc(n + 1, sizeof *rank);
	const struct key **key = xcalloc(n + 1, sizeof *key);

	for (size_t i = 0; i < n; i++)
		key[i] = &m->devices.key[i];
	if (n)
		qsort(key, n, sizeof *key, by_name);
	for (size_t i = 0; i < n; i++)
		rank[key[i] - m->devices.key] = i;
	for (size_t i = 0; i < m->n; i++) {
		m->transfer[i].from = rank[m->transfer[i].from];
		m->transfer[i].to = rank[m->transfer[i].to];
	}
	m->name = xcalloc(n + 1, sizeof *m->name);
	for (size_t i = 0; i < n; i++)
		m->name[i] = key_find(key[i], 0);
	free(key);
	free(rank);
}

/* Devices of an island, and islands of a socket, come one after the other. */
static void
order_devices(struct matrix *m)
{
	struct device *d = xcalloc(m->devices.n + 1, sizeof *d);
	bool changed = true;

	for (size_t i = 0; i < m->devices.n; i++)
		d[i] = (struct device){i, i, i};
	while (changed) {
		changed = false;
		for (size_t i = 0; i < m->n; i++) {
			const struct transfer *t = &m->transfer[i];
			struct device *a = &d[t->from], *b = &d[t->to];

			changed |= t->near && join(&a->island, &b->island);
			changed |=
			    t->same_socket && join(&a->socket, &b->socket);
		}
	}
	if (m->devices.n)
		qsort(d, m->devices.n, sizeof *d, by_island);
	m->device = d;
}

static size_t
place_of(const struct matrix *m, size_t device)
{
	size_t i = 0;

	while (m->device[i].number != device)
		i++;
	return i;
}

/* Frames around the squares of islands. */
static void
outline_islands(struct picture *p, const struct matrix *m)
{
	struct curve c = {0};

	for (size_t i = 0, k; i < m->devices.n; i = k) {
		for (k = i + 1; k < m->devices.n &&
		                m->device[k].island == m->device[i].island;)
			k++;
		if (k - i < 2)
			continue;
		for (int corner = 0; corner < 5; corner++) {
			bool right = corner == 1 || corner == 2;
			bool low = corner == 2 || corner == 3;

			curve_add(&c, (double)(right ? k : i) + 0.5,
			          (double)(low ? k : i) + 0.5);
		}
		curve_add(&c, NAN, 0);
	}
	picture_take_if(p, STYLE_STROKE, NULL, COLOUR_NONE, &c);
}

/* "51.2 Gbit/s of 53.1, 96.4 %; 3 runs: 50.9 Gbit/s to 51.3 Gbit/s" */
static char *
transfer_words(const struct transfer *t, const char *measure)
{
	char *text = quantity_words(measure, t->value[0]);

	if (t->runs > 1) {
		char *low = quantity_words(measure, t->low);
		char *high = quantity_words(measure, t->high);

		xappend(&text, "", "; %zu runs: %s to %s", t->runs, low, high);
		free(low);
		free(high);
	}
	if (!isnan(t->value[1]))
		xappend(&text, "", " of %.5g, %.3g %%", t->value[1],
		        t->value[2]);
	return text;
}

/* What a panel shows. */
enum { MEASURED, BOUND, SHARE, VIEWS };

/* The bound, if all transfers of a test have one; else NAN. */
static double
common_bound(const struct matrix *m, size_t test)
{
	double bound = NAN;

	for (size_t i = 0; i < m->n; i++) {
		double other = m->transfer[i].value[BOUND];

		if (m->transfer[i].test != test || isnan(other))
			continue;
		if (!isnan(bound) && other != bound)
			return NAN;
		bound = other;
	}
	return bound;
}

/* Bytes that all names start with, up to the first digit. */
static size_t
common_prefix(const struct matrix *m)
{
	size_t length =
	    m->devices.n > 1 ? strcspn(m->name[0], "0123456789") : 0;

	for (size_t i = 1; i < m->devices.n; i++) {
		while (strncmp(m->name[0], m->name[i], length) != 0)
			length--;
	}
	for (size_t i = 0; i < m->devices.n; i++) {
		if (!m->name[i][length])
			return 0;
	}
	return length;
}

/* Characters beside the cells of a matrix, but for names. */
#define BESIDE_CELLS 20

/* Draws a panel, unless no transfer of the test has the value. */
static void
add_view(struct picture **panel, struct picture *p, const struct matrix *m,
         size_t test, size_t view, const struct names *names)
{
	struct cell *cell = xcalloc(m->n, sizeof *cell);
	char *what = names_key(names, &m->tests, test, "");
	const char *name = view == MEASURED ? measure_words(m->measure)
	                   : view == BOUND  ? "bound"
	                                    : "share of the bound";
	size_t widest = 0, room = (size_t)TIC_WIDTH * p->room, prefix = 0;
	bool any = false, wide;

	for (size_t i = 0; i < m->devices.n; i++)
		widest = max_plain_width(widest, m->name[i]);
	/* Beside the names of rows and the scale of shades. */
	if ((widest + 1) * m->devices.n + widest + BESIDE_CELLS > room)
		prefix = common_prefix(m);
	wide = (widest - prefix + 1) * m->devices.n + widest + BESIDE_CELLS >
	           room &&
	       widest - prefix > (size_t)log10((double)m->devices.n) + 1;

	for (size_t i = 0; i < m->n; i++) {
		const struct transfer *t = &m->transfer[i];

		cell[i] = (struct cell){
		    .x = place_of(m, t->to),
		    .y = place_of(m, t->from),
		    .value = t->test == test ? t->value[view] : NAN,
		    .same_scale = t->value[view == MEASURED ? BOUND
		                           : view == BOUND  ? MEASURED
		                                            : SHARE],
		    .says = transfer_words(t, m->measure),
		    .apart = t->from == t->to,
		};
		any = any || !isnan(cell[i].value);
	}
	if (any) {
		*panel = *panel ? picture_below(p) : p;
		(*panel)->x.label =
		    xasprintf("to: %s%s%s", name, *what ? ", " : "", what);
		(*panel)->x.unit = 1;
		(*panel)->x.min = 0.5;
		(*panel)->x.max = (double)m->devices.n + 0.5;
		for (size_t i = 0; i < m->devices.n; i++) {
			const char *device = m->name[m->device[i].number];
			char *number = xasprintf("%zu", i + 1);

			/* Names that do not fit below have a number. */
			add_row(*panel,
			        xasprintf("%s%sfrom %s", wide ? number : "",
			                  wide ? " " : "", device));
			array_push((*panel)->x.cell, (*panel)->x.ncells,
			           xasprintf("to %s", device));
			axis_tic(&(*panel)->x, (double)i + 1,
			         wide ? number : device + prefix);
			free(number);
		}
		add_cells(*panel, cell, m->n, m->devices.n,
		          view == SHARE ? "model_ratio_pct" : m->measure);
		outline_islands(*panel, m);
	}
	for (size_t i = 0; !any && i < m->n; i++)
		free(cell[i].says);
	free(what);
	free(cell);
}

static void
draw_matrix(struct picture *p, struct table *t)
{
	static const char *const values[] = {
	    "bandwidth_gbit_s", "median_gbit_s", "median_ns",
	    "mean_ns",          "latency_ns",    NULL};
	struct row_reader r = {.measures = values,
	                       .lacking = "a bandwidth or a latency",
	                       .first_unit = true};
	struct picture *panel = NULL;
	struct matrix m = {0};
	struct names names;
	bool near = false;

	read_matrix(&m, &r, t);
	sort_devices(&m);
	merge_runs(&m);
	names = names_of(t, &m.tests);
	names_describe(&names, p, measure_words(m.measure));
	say_runs(p, &r);
	order_devices(&m);
	for (size_t test = 0; test < m.tests.n; test++) {
		double bound = common_bound(&m, test);

		for (size_t view = 0; view < VIEWS; view++) {
			if (view != BOUND || isnan(bound))
				add_view(&panel, p, &m, test, view, &names);
		}
		if (!isnan(bound) && m.tests.n == 1)
			p->note = xasprintf("bound: %.5g Gbit/s", bound);
	}
	for (size_t i = 0; i < m.n; i++) {
		near = near || m.transfer[i].near;
	}
	if (near)
		xappend(&p->note, "; ", "framed: below one switch");
	if (!panel)
		axis_values(&p->x, "to", "", 0, 1, INFINITY, 1);
	free(m.name);
	free(m.device);
	free(m.transfer);
	names_free(&names);
	key_set_free(&m.devices);
	key_set_free(&m.tests);
	row_reader_free(&r);
}

const struct kind kind_matrix = {
    .name = "matrix",
    .help =
        "bandwidth or latency from each device to each other, and its bound",
    .draw = draw_matrix,
};
