/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A value for each pair of two columns: heat; of two devices: matrix. */
#include "common/base/number.h"
#include "common/base/utf8.h"
#include "plot/kind/kind.h"

/* Cells ------------------------------------------------------------------- */

/* Above this ratio of the values, equal shades are equal factors. */
#define LOG_SCALE_FROM 20

/* The least difference of the ends of a scale, as a part of the highest. */
#define LEAST_SPAN 0.1

/* The same in numbers, which gnuplot can divide. */
#define LEAST_DIFFERENCE 1e-290

/* From this part of the shades on, numbers are white. */
#define DARK 0.4

/* Characters beside cells, but for the names of rows: the scale of shades. */
#define BESIDE_CELLS 14

/* Lines for a row with two numbers, and around the rows of a panel. */
#define LINES_OF_TWO 2.2
#define LINES_AROUND 4

/* All panels have the same rows and columns. */
struct cells {
	struct picture *p;
	const char *measure;
	char **xname, **yname; /* of tics */
	size_t yw;             /* columns of the widest yname */
	size_t nx, ny;
	struct cell {
		size_t panel, x, y;
		double value, share; /* in per cent of a bound, or NAN */
		char *where, *says;  /* for the pointer */
		bool apart;          /* without a shade */
		char *number, *part; /* in the cell, of value and share */
	} * cell;
	size_t n;
	char **what; /* below each panel */
	size_t np;
};

/* Characters for a column of cells. */
static double
column_room(const struct cells *c)
{
	double room = text_columns(c->p) - (double)c->yw - BESIDE_CELLS;

	return room / (double)c->nx;
}

/* Writes numbers with the most digits with which all fit, if any do. */
static void
write_numbers(const struct cells *c, double unit)
{
	double room = column_room(c) - 1;
	bool fit = false;

	for (int digits = 4; digits > 1 && !fit; digits--) {
		fit = true;
		for (struct cell *of = c->cell; of < c->cell + c->n; of++) {
			if (isnan(of->value))
				continue;
			of->number = number_words(of->value / unit, digits);
			fit &= (double)max_plain_width(0, of->number) <= room;
			if (!isnan(of->share))
				of->part = words("%.3g %%", of->share);
		}
	}
	for (size_t i = 0; i < c->n && !fit; i++)
		c->cell[i].number = c->cell[i].part = NULL;
}

/* The shades of all panels. */
static struct scale
choose_shades(const struct cells *c)
{
	struct scale s = {.unit = 1, .unit_name = unit_words(c->measure)};
	struct range r = RANGE_OF_NONE;

	for (size_t i = 0; i < c->n; i++) {
		if (!c->cell[i].apart)
			widen(&r, c->cell[i].value);
	}
	if (!(r.low <= r.high))
		r = (struct range){0, 0};
	if (!strcmp(s.unit_name, "ns"))
		s.unit = time_unit(r.high, 10, &s.unit_name);
	s.log = r.low > 0 && r.high > LOG_SCALE_FROM * r.low;
	/* A small difference must not look like a large one. */
	if (r.high - r.low < LEAST_SPAN * fabs(r.high))
		r.high = r.low + LEAST_SPAN * fabs(r.high);
	if (r.high - r.low < LEAST_DIFFERENCE)
		r.high = r.low + 1;
	s.low = r.low;
	s.high = r.high;
	return s;
}

static void
put_panel(struct picture *p, const struct cells *c, size_t panel,
          const struct scale *shade)
{
	p->panel = panel;
	block_next(p);
	for (size_t i = 0; i < c->n; i++) {
		const struct cell *of = &c->cell[i];
		double x = (double)of->x + 1, y = (double)of->y + 1;
		bool dark = scale_position(shade, of->value) > DARK;

		if (of->panel != panel)
			continue;
		POINT(p, x, y, of->value / shade->unit, !of->apart && dark,
		      of->apart, (double)i + 1);
		add_tip(p, AT(x, y), of->where, "%s", of->says);
	}
}

/* Writes all, each row of cells in so many lines. */
static void
put_cells(struct picture *p, struct cells *c, double row_lines)
{
	double np = (double)c->np, ny = (double)c->ny, xw;
	struct scale shade = choose_shades(c);

	xw = (double)cut_names(c->xname, c->nx, sizeof *c->xname, 0);
	c->yw = cut_names(c->yname, c->ny, sizeof *c->yname,
	                  (size_t)(text_columns(p) / 2));
	cut_names(c->what, c->np, sizeof *c->what,
	          (size_t)text_columns(p) - c->yw - 10);
	write_numbers(c, shade.unit);
	block_begin(p, "rows");
	for (size_t i = 0; i < c->np; i++)
		put_panel(p, c, i, &shade);
	block_end(p);
	grow_to(p, np * (ny * row_lines + LINES_AROUND) + 6,
	        p->terminal->text ? np * (ny + 1) + 4 : np * (ny + 2));
	put_number(p, "np", np);
	put_number(p, "nx", (double)c->nx);
	put_number(p, "ny", ny);
	put_number(p, "yw", (double)c->yw);
	put_number(p, "xevery", ceil((xw + 1) / column_room(c)));
	PUT_LIST(p, "xname", c->xname, c->nx);
	PUT_LIST(p, "yname", c->yname, c->ny);
	PUT(p, "cell", c->cell, c->n, number);
	PUT(p, "share", c->cell, c->n, part);
	PUT_LIST(p, "what", c->what, c->np);
	put_text(p, "unit", shade.unit_name);
	put_number(p, "lo", shade.low / shade.unit);
	put_number(p, "hi", shade.high / shade.unit);
	put_number(p, "shadelog", shade.log);
	p->empty = !c->n;
}

/* "1.2 us (a, size 64 B) to 1.8 us (b, size 64 B)": what the title says of
 * cells. */
static char *
range_words(const struct cells *c)
{
	const struct cell *low = NULL, *high = NULL;

	for (const struct cell *of = c->cell; of < c->cell + c->n; of++) {
		if (isnan(of->value) || of->apart)
			continue;
		low = !low || of->value < low->value ? of : low;
		high = !high || of->value > high->value ? of : high;
	}
	if (!low || low->value == high->value)
		return NULL;
	return words("%s (%s) to %s (%s)",
	             quantity_words(c->measure, low->value), low->where,
	             quantity_words(c->measure, high->value), high->where);
}

/* Heat --------------------------------------------------------------------- */

/* The distinct values of one column, in order. */
struct side {
	size_t col;
	struct key_set texts;
	const char **value;
	size_t *place; /* of each text among the values */
};

/*
 * A size, or the later column, is horizontal. Of three, the first that is no
 * size has panels.
 */
static void
choose_sides(struct side *x, struct side *y, struct side *z,
             const struct names *names)
{
	char *const *column = names->t->name, *list = NULL;
	size_t col[3] = {SIZE_MAX, SIZE_MAX, SIZE_MAX}, n = 0, of_z = 0;
	bool swap;

	for (size_t i = 0; i < names->t->ncols; i++) {
		/* peer_access describes a pair, so it is not an axis. */
		if (names->place[i] != NAME_LEGEND ||
		    !strcmp(column[i], "peer_access"))
			continue;
		if (n < ARRAY_LEN(col))
			col[n] = i;
		add_words(&list, ", ", "%s", column[i]);
		n++;
	}
	if (n > ARRAY_LEN(col))
		die("a map has two axes and panels, and %zu columns vary: %s; "
		    "pcb-stats -g leaves columns out",
		    n, list);
	z->col = SIZE_MAX;
	if (n == 3) {
		while (of_z < 2 && is_bytes(column[col[of_z]]))
			of_z++;
		z->col = col[of_z];
		for (; of_z < 2; of_z++)
			col[of_z] = col[of_z + 1];
		n = 2;
	}
	swap = n == 1 || (n == 2 && is_bytes(column[col[0]]) &&
	                  !is_bytes(column[col[1]]));
	x->col = col[!swap];
	y->col = col[swap];
}

static int
by_number(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strverscmp(*x, *y);
}

/* Whether both are equal up to a number at the end, as "sm/workers16" is. */
static bool
differ_in_number(const char *a, const char *b)
{
	size_t same = strcspn(a, "0123456789");

	return a[same] && !strncmp(a, b, same) &&
	       !a[same + strspn(a + same, "0123456789")] && b[same] &&
	       !b[same + strspn(b + same, "0123456789")];
}

/* In order of appearance, numbers ascending. A side may have no column. */
static void
list_values(struct side *s, const struct key_set *keys)
{
	bool numbered = true;
	size_t n;

	for (size_t i = 0; i < keys->n; i++) {
		const char *text = key_find(&keys->key[i], s->col);

		key_set_intern_text(&s->texts, text);
		numbered = numbered && differ_in_number(
		                           key_find(&s->texts.key[0], 0), text);
	}
	n = s->texts.n;
	s->value = keep(n, sizeof *s->value);
	s->place = keep(n, sizeof *s->place);
	for (size_t i = 0; i < n; i++)
		s->value[i] = key_find(&s->texts.key[i], 0);
	if (numbered && n)
		qsort(s->value, n, sizeof *s->value, by_number);
	for (size_t i = 0; i < n; i++)
		s->place[key_set_find_text(&s->texts, s->value[i])] = i;
}

static size_t
place_of(const struct side *s, const struct key *key)
{
	return s->place[key_set_find_text(&s->texts, key_find(key, s->col))];
}

/* "64", "8K": a tic is shorter than "8 KiB". */
static char *
tic_words(const char *value, bool bytes)
{
	char *text = words("%s", value), *unit;
	double size;

	if (!bytes || parse_number(value, &size))
		return text;
	text = size_words(size);
	unit = strchr(text, ' ');
	*unit = unit[1];
	unit[*unit != 'B'] = '\0';
	return text;
}

/* A side without a column has one value. */
static char **
value_names(const struct names *names, const struct side *s, bool of_x)
{
	char **name = keep(s->texts.n, sizeof *name);

	for (size_t i = 0; i < s->texts.n; i++) {
		const char *column =
		    s->col < names->t->ncols ? names->t->name[s->col] : NULL;

		name[i] = !column ? of_x ? words("%s", "") : names_bench(names)
		          : of_x ? tic_words(s->value[i], is_bytes(column))
		                  : value_words(column, s->value[i]);
	}
	return name;
}

/* Adds the cell of a key; sides are x, y and that of the panels. */
static void
add_cell(struct cells *c, const struct table *t,
         const struct side *const side[], const struct key *key, double median)
{
	const struct side *x = side[0], *z = side[2];
	size_t col = place_of(x, key), row = place_of(side[1], key);
	size_t panel = place_of(z, key);
	char *where = z->col < t->ncols
	                  ? value_words(t->name[z->col], z->value[panel])
	                  : NULL;

	add_words(&where, ", ", "%s", c->yname[row]);
	if (x->col < t->ncols)
		add_words(&where, ", ", "%s",
		          value_words(t->name[x->col], x->value[col]));
	PUSH(c->cell, c->n,
	     (struct cell){
	         .panel = panel,
	         .x = col,
	         .y = row,
	         .value = median,
	         .share = NAN,
	         .says = quantity_words(c->measure, median),
	         .where = where,
	     });
}

void
draw_heat(struct picture *p, struct table *t)
{
	struct row_reader rows = {.measures =
	                              MEASURES("median_ns", "latency_ns",
	                                       "mean_ns", "median_gbit_s",
	                                       "bandwidth_gbit_s", "ratio_pct"),
	                          .lacking = "a measure"};
	static struct groups groups;
	static struct side x, y, z;
	struct names names;
	struct cells c = {.p = p};
	const char *column;

	read_groups(&groups, &rows, t);
	names = names_of(t, &groups.keys);
	choose_sides(&x, &y, &z, &names);
	list_values(&x, &groups.keys);
	list_values(&y, &groups.keys);
	list_values(&z, &groups.keys);
	column = x.col < t->ncols ? t->name[x.col] : "";
	c.measure = rows.measure;
	c.nx = x.texts.n;
	c.ny = y.texts.n;
	c.xname = value_names(&names, &x, true);
	c.yname = value_names(&names, &y, false);
	for (size_t i = 0; i < z.texts.n; i++)
		PUSH(c.what, c.np,
		     words("%s%s%s%s", column_words(column),
		           is_bytes(column) ? " (bytes)" : "",
		           z.col < t->ncols ? ", " : "",
		           z.col < t->ncols
		               ? value_words(t->name[z.col], z.value[i])
		               : ""));
	for (size_t i = 0; i < groups.keys.n; i++)
		add_cell(&c, t, (const struct side *[]){&x, &y, &z},
		         &groups.keys.key[i],
		         percentile(&groups.histogram[i], 50));
	p->finding = range_words(&c);
	names_describe(&names, p, measure_words(c.measure));
	say_runs(p, &rows);
	block_begin(p, "frames");
	block_end(p);
	put_cells(p, &c, 1);
}

/* Matrix ------------------------------------------------------------------- */

/* A transfer from one device to another, in all its runs. */
struct transfer {
	size_t from, to, test;  /* indices of the devices; of other columns */
	struct curve runs;      /* value, and share of the bound in
	                           per cent */
	double value;           /* bandwidth or latency: the median */
	double bound, share;    /* or NAN */
	bool near, same_socket; /* it passes no root complex; no
	                           socket */
};

/* The first device, in the order of names, of each. */
struct device {
	const char *socket, *island, *name;
};

struct matrix {
	const char *measure;
	struct key_set devices, tests, transfers;
	struct transfer *transfer; /* for each key */
	size_t room;
	struct device *device; /* in the order of the tree */
	size_t *place;         /* of each of the devices there */
};

/* The columns of both ends, of which a row has the first pair it can. */
static const char *const pairs[][2] = {{"from", "to"},
                                       {"source", "destination"},
                                       {"device", "peer"},
                                       {"cpu_node", "node"}};

/* These do not tell tests apart: they belong to a transfer or its model. */
static const char of_transfer[] =
    "from,to,device,peer,source,destination,link,cpu_node,node,run,limited_by,"
    "crosses,flags,model_accounting,peer_access";

static void
take_transfer(struct matrix *m, const struct table *t, size_t col,
              const char *from, const char *to)
{
	const char *crosses = optional_text(t, "crosses");
	bool modelled = row_has(t, "model_gbit_s");
	struct transfer row = {
	    .from = key_set_intern_text(&m->devices, from),
	    .to = key_set_intern_text(&m->devices, to),
	    .test = row_key(&m->tests, t, false, of_transfer),
	    .bound = row_number(t, "model_gbit_s"),
	    .near = !*crosses && modelled,
	    .same_socket = strcmp(crosses, "socket") != 0 && modelled,
	};
	char *key = xasprintf("%zu %zu %zu", row.test, row.from, row.to);
	size_t i = key_set_intern_text(&m->transfers, key);

	free(key);
	m->transfer = key_set_grow(&m->transfers, m->transfer, &m->room,
	                           sizeof *m->transfer);
	row.runs = m->transfer[i].runs;
	curve_add(&row.runs, row_value(t, col),
	          row_number(t, "model_ratio_pct"));
	m->transfer[i] = row;
}

static void
read_matrix(struct matrix *m, struct row_reader *r, struct table *t)
{
	const char *from = "", *to = "";
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
		if (i < ARRAY_LEN(pairs)) {
			take_transfer(m, t, r->col, from, to);
		} else {
			trace_skipped(t, "both ends");
			skipped++;
		}
	}
	for (size_t i = 0; i < ARRAY_LEN(pairs) && skipped && !m->devices.n;
	     i++) {
		if (table_find(t, pairs[i][0]) >= 0 &&
		    table_find(t, pairs[i][1]) >= 0)
			die("%s: no row has both ends, such as "
			    "%s and %s",
			    t->file, pairs[i][0], pairs[i][1]);
	}
	if (skipped && !m->devices.n)
		need_column(t, pairs[0][0]);
	warn_skipped(skipped, "both ends");
	m->measure = r->measure;
	for (size_t i = 0; i < m->transfers.n; i++) {
		struct transfer *of = &m->transfer[i];
		size_t n = of->runs.n;

		curve_sort(&of->runs);
		of->value = of->runs.point[(n - 1) / 2].x / 2 +
		            of->runs.point[n / 2].x / 2;
		of->share = of->runs.point[n / 2].y;
	}
}

/* gpu2 before gpu10; islands of a socket, and devices of an island, together.
 */
static int
by_island(const void *a, const void *b)
{
	const struct device *x = a, *y = b;
	int order = strverscmp(x->socket, y->socket);

	order = order ? order : strverscmp(x->island, y->island);
	return order ? order : strverscmp(x->name, y->name);
}

/* Gives both the first name; returns whether they differed. */
static bool
join(const char **a, const char **b)
{
	bool differ = strcmp(*a, *b) != 0;

	*a = *b = strverscmp(*a, *b) < 0 ? *a : *b;
	return differ;
}

static const char *
device_name(const struct matrix *m, size_t device)
{
	return key_find(&m->devices.key[device], 0);
}

/* Orders the devices, and finds their places. */
static void
order_devices(struct matrix *m)
{
	size_t n = m->devices.n;
	struct device *d = keep(n, sizeof *d);
	bool changed = true;

	for (size_t i = 0; i < n; i++)
		d[i].name = d[i].island = d[i].socket = device_name(m, i);
	while (changed) {
		changed = false;
		for (size_t i = 0; i < m->transfers.n; i++) {
			const struct transfer *t = &m->transfer[i];
			struct device *a = &d[t->from], *b = &d[t->to];

			changed |= t->near && join(&a->island, &b->island);
			changed |=
			    t->same_socket && join(&a->socket, &b->socket);
		}
	}
	qsort(d, n, sizeof *d, by_island);
	m->device = d;
	m->place = keep(n, sizeof *m->place);
	for (size_t i = 0; i < n; i++)
		m->place[key_set_intern_text(&m->devices, d[i].name)] = i;
}

/* Frames around the squares of islands. */
static void
outline_islands(struct picture *p, const struct matrix *m)
{
	block_begin(p, "frames");
	for (size_t i = 0, k; i < m->devices.n; i = k) {
		for (k = i + 1;
		     k < m->devices.n &&
		     !strcmp(m->device[k].island, m->device[i].island);)
			k++;
		if (k - i < 2)
			continue;
		block_gap(p);
		for (int corner = 0; corner < 5; corner++) {
			bool right = corner == 1 || corner == 2;
			bool low = corner == 2 || corner == 3;

			POINT(p, (double)(right ? k : i) + 0.5,
			      (double)(low ? k : i) + 0.5);
		}
	}
	block_end(p);
}

/* "51.2 Gbit/s; 3 runs: 50.9 Gbit/s to 51.3 Gbit/s of 53.1, 96.4 %" */
static char *
transfer_words(const struct matrix *m, const struct transfer *t)
{
	char *text = quantity_words(m->measure, t->value);
	struct range r = range_of(&t->runs, 1, false);

	if (t->runs.n > 1)
		add_words(&text, "", "; %zu runs: %s to %s", t->runs.n,
		          quantity_words(m->measure, r.low),
		          quantity_words(m->measure, r.high));
	if (!isnan(t->bound))
		add_words(&text, "", " of %.5g, %.3g %%", t->bound, t->share);
	return text;
}

/* Bytes that all names start with, up to the first digit. */
static size_t
common_prefix(const struct matrix *m)
{
	const char *first = m->device[0].name;
	size_t length = strcspn(first, "0123456789");

	for (size_t i = 1; i < m->devices.n; i++) {
		while (strncmp(first, m->device[i].name, length) != 0)
			length--;
	}
	for (size_t i = 0; i < m->devices.n; i++) {
		if (!m->device[i].name[length])
			return 0;
	}
	return length;
}

/*
 * Names of columns: without what all begin with if they would not fit, or
 * numbers, which the names of rows have, too.
 */
static void
name_devices(struct cells *c, const struct matrix *m)
{
	size_t n = m->devices.n, widest = 0, prefix = 0;
	double room;
	bool wide;

	for (size_t i = 0; i < n; i++)
		widest = max_plain_width(widest, m->device[i].name);
	room = (text_columns(c->p) - (double)widest - BESIDE_CELLS - 5) /
	           (double)(n ? n : 1) -
	       1;
	if ((double)widest > room && n > 1)
		prefix = common_prefix(m);
	wide = (double)(widest - prefix) > room &&
	       widest - prefix > (size_t)log10((double)n) + 1;
	c->nx = c->ny = n;
	c->xname = keep(n, sizeof *c->xname);
	c->yname = keep(n, sizeof *c->yname);
	for (size_t i = 0; i < n; i++) {
		const char *device = m->device[i].name;

		c->xname[i] =
		    wide ? words("%zu", i + 1) : words("%s", device + prefix);
		c->yname[i] = wide ? words("%zu from %s", i + 1, device)
		                   : words("from %s", device);
	}
}

/* The lowest share of a bound, or the range of the only test. */
static char *
matrix_finding(const struct cells *c, const struct matrix *m)
{
	const struct transfer *worst = NULL;

	for (size_t i = 0; i < m->transfers.n; i++) {
		const struct transfer *t = &m->transfer[i];

		if (!isnan(t->share) && t->from != t->to &&
		    (!worst || t->share < worst->share))
			worst = t;
	}
	if (worst)
		return words("at least %.3g %% of the bound (%s to %s)",
		             worst->share, device_name(m, worst->from),
		             device_name(m, worst->to));
	return m->tests.n == 1 ? range_words(c) : NULL;
}

/* Notes the bound that all have, and what numbers and frames are. */
static void
add_note(struct picture *p, const struct matrix *m, bool *shares)
{
	struct range bound = RANGE_OF_NONE;
	bool near = false;

	for (size_t i = 0; i < m->transfers.n; i++) {
		widen(&bound, m->transfer[i].bound);
		near |= m->transfer[i].near;
		*shares |= !isnan(m->transfer[i].share);
	}
	if (bound.low == bound.high)
		p->note = words("bound: %.5g %s", bound.low, rate_unit().name);
	if (*shares)
		add_words(&p->note, "; ",
		          "below a number: its share of the bound");
	if (near)
		add_words(&p->note, "; ", "framed: below one switch");
}

void
draw_matrix(struct picture *p, struct table *t)
{
	struct row_reader r = {
	    .measures = MEASURES("bandwidth_gbit_s", "median_gbit_s",
	                         "median_ns", "mean_ns", "latency_ns"),
	    .lacking = "a bandwidth or a latency",
	    .first_unit = true};
	static struct matrix m;
	struct cells c = {.p = p};
	struct names names;
	bool shares = false;

	read_matrix(&m, &r, t);
	order_devices(&m);
	c.measure = m.measure;
	name_devices(&c, &m);
	names = names_of(t, &m.tests);
	for (size_t i = 0; i < m.tests.n; i++)
		PUSH(c.what, c.np,
		     joined("to", ": ", names_key(&names, &m.tests, i, "")));
	for (size_t i = 0; i < m.transfers.n; i++) {
		const struct transfer *of = &m.transfer[i];

		PUSH(c.cell, c.n,
		     (struct cell){
		         .panel = of->test,
		         .x = m.place[of->to],
		         .y = m.place[of->from],
		         .value = of->value,
		         .share = of->share,
		         .where = words("%s to %s", device_name(&m, of->from),
		                        device_name(&m, of->to)),
		         .says = transfer_words(&m, of),
		         .apart = of->from == of->to,
		     });
	}
	p->finding = matrix_finding(&c, &m);
	names_describe(&names, p, measure_words(m.measure));
	say_runs(p, &r);
	outline_islands(p, &m);
	add_note(p, &m, &shares);
	put_cells(p, &c, shares ? LINES_OF_TWO : 1);
}
