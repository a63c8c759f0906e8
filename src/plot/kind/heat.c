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
		/* Of a matrix: value and share of each run. */
		struct curve runs;
		double bound;           /* or NAN */
		bool near, same_socket; /* it passes no root complex; no
		                           socket */
	} * cell;
	size_t n, room;
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
	if (r.high <= r.low)
		r.high = r.low + 1;
	s.low = r.low;
	s.high = r.high;
	return s;
}

/*
 * Writes numbers with the most digits with which all that have a shade fit;
 * else, in a text, which has no shades, tenths of the scale. Shares are left
 * out if one does not fit.
 */
static void
write_numbers(const struct cells *c, const struct scale *shade)
{
	double room = column_room(c) - 1;
	bool fit = false, parts = true, tenths;

	for (int digits = 4; digits > 1 && !fit; digits--) {
		fit = true;
		for (struct cell *of = c->cell; of < c->cell + c->n; of++) {
			if (isnan(of->value))
				continue;
			of->number =
			    number_words(of->value / shade->unit, digits);
			if ((double)max_plain_width(0, of->number) <= room)
				continue;
			fit &= of->apart;
			of->number = NULL;
		}
	}
	for (struct cell *of = c->cell; of < c->cell + c->n; of++) {
		of->part = isnan(of->share) || of->apart
		               ? NULL
		               : words("%.3g %%", of->share);
		parts &= !of->part ||
		         (double)max_plain_width(0, of->part) <= room + 0.5;
	}
	for (struct cell *of = c->cell; of < c->cell + c->n; of++)
		of->part = fit && parts ? of->part : NULL;
	tenths = !fit && c->p->terminal->text && room >= 0 &&
	         text_lines(c->p) >= LINES_OF_NOTE;
	for (struct cell *of = c->cell; of < c->cell + c->n && !fit; of++) {
		double part = 10 * scale_position(shade, of->value);

		of->number = tenths && !of->apart && part >= 0
		                 ? words("%.0f", floor(fmin(part, 9)))
		                 : NULL;
	}
	if (tenths)
		add_words(&c->p->note, "; ", "0 to 9: from %s to %s",
		          quantity_words(c->measure, shade->low),
		          quantity_words(c->measure, shade->high));
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
	write_numbers(c, &shade);
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

/* Sides -------------------------------------------------------------------- */

/* The distinct values of a column, or of both ends of transfers, in order. */
struct side {
	size_t col; /* SIZE_MAX: none */
	struct key_set texts;
	struct value {
		const char *socket, *island; /* of devices, else "" */
		const char *text;
	} * value;
	size_t *place; /* of each text among the values */
};

/* Numbers, and gpu2 before gpu10; what is near together. */
static int
by_place(const void *a, const void *b)
{
	const struct value *x = a, *y = b;
	int order = name_order(x->socket, y->socket);
	double u, v;

	order = order ? order : name_order(x->island, y->island);
	if (parse_number(x->text, &u))
		u = INFINITY;
	if (parse_number(y->text, &v))
		v = INFINITY;
	order = order ? order : (u > v) - (u < v);
	return order ? order : name_order(x->text, y->text);
}

static void
list_values(struct side *s)
{
	s->value = keep(s->texts.n, sizeof *s->value);
	for (size_t i = 0; i < s->texts.n; i++) {
		const char *text = key_find(&s->texts.key[i], 0);

		s->value[i] = (struct value){"", "", text};
	}
}

static void
order_values(struct side *s)
{
	size_t n = s->texts.n;

	if (n)
		qsort(s->value, n, sizeof *s->value, by_place);
	s->place = keep(n, sizeof *s->place);
	for (size_t i = 0; i < n; i++)
		s->place[key_set_find_text(&s->texts, s->value[i].text)] = i;
}

/* Heat --------------------------------------------------------------------- */

enum { X, Y, PANELS, SIDES };

/* A size, or the later column, is horizontal. */
static void
choose_sides(struct side side[], const struct names *names)
{
	char *const *column = names->t->name, *list = NULL;
	size_t n = 0;

	for (size_t i = 0; i < SIDES; i++)
		side[i].col = SIZE_MAX;
	for (int sizes = 1; sizes >= 0; sizes--) {
		for (size_t i = names->t->ncols; i-- > 0;) {
			/* peer_access describes a pair, so it is not an axis.
			 */
			if (names->place[i] != NAME_LEGEND ||
			    is_bytes(column[i]) != sizes ||
			    !strcmp(column[i], "peer_access"))
				continue;
			if (n < SIDES)
				side[n].col = i;
			list = joined(column[i], ", ", list ? list : "");
			n++;
		}
	}
	if (n > SIDES)
		die("a map has two axes and panels, and %zu columns vary: %s; "
		    "pcb-stats -g leaves columns out",
		    n, list);
}

/* "64", "8K": a tic is shorter than "8 KiB". */
static char *
tic_words(const char *value)
{
	double size;
	char *text, *unit;

	if (parse_number(value, &size))
		return words("%s", value);
	text = size_words(size);
	unit = strchr(text, ' ');
	*unit = unit[1];
	unit[*unit != 'B'] = '\0';
	return text;
}

/* "cache cold": a value of a side, or `alone` if no column has it. */
static char *
side_words(const struct side *s, size_t place, const struct names *names,
           const char *alone)
{
	return s->col == SIZE_MAX
	           ? words("%s", alone)
	           : value_words(names->t->name[s->col], s->value[place].text);
}

static void
name_sides(struct cells *c, const struct side side[], const struct names *names)
{
	const char *column =
	    side[X].col == SIZE_MAX ? "" : names->t->name[side[X].col];
	char *of_x = words("%s%s", column_words(column),
	                   is_bytes(column) ? " (bytes)" : "");

	c->nx = side[X].texts.n;
	c->ny = side[Y].texts.n;
	c->np = side[PANELS].texts.n;
	c->xname = keep(c->nx, sizeof *c->xname);
	c->yname = keep(c->ny, sizeof *c->yname);
	c->what = keep(c->np, sizeof *c->what);
	for (size_t i = 0; i < c->nx; i++) {
		const char *text = side[X].value[i].text;

		c->xname[i] =
		    is_bytes(column) ? tic_words(text) : words("%s", text);
	}
	for (size_t i = 0; i < c->ny; i++)
		c->yname[i] =
		    side_words(&side[Y], i, names, names_bench(names));
	for (size_t i = 0; i < c->np; i++)
		c->what[i] =
		    joined(of_x, ", ", side_words(&side[PANELS], i, names, ""));
}

static void
add_cell(struct cells *c, const struct names *names, const struct side side[],
         const struct key *key, double median)
{
	size_t at[SIDES];
	char *where;

	for (size_t i = 0; i < SIDES; i++)
		at[i] = side[i].place[key_set_find_text(
		    &side[i].texts, key_find(key, side[i].col))];
	where = joined(side_words(&side[PANELS], at[PANELS], names, ""), ", ",
	               c->yname[at[Y]]);
	where = joined(where, ", ", side_words(&side[X], at[X], names, ""));
	PUSH(c->cell, c->n,
	     (struct cell){.panel = at[PANELS],
	                   .x = at[X],
	                   .y = at[Y],
	                   .value = median,
	                   .share = NAN,
	                   .says = quantity_words(c->measure, median),
	                   .where = where});
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
	static struct side side[SIDES];
	struct names names;
	struct cells c = {.p = p};

	read_groups(&groups, &rows, t);
	c.measure = rows.measure;
	names = names_of(t, &groups.keys);
	choose_sides(side, &names);
	for (struct side *s = side; s < side + SIDES; s++) {
		for (size_t i = 0; i < groups.keys.n; i++)
			key_set_intern_text(
			    &s->texts, key_find(&groups.keys.key[i], s->col));
		list_values(s);
		order_values(s);
	}
	name_sides(&c, side, &names);
	for (size_t i = 0; i < groups.keys.n; i++)
		add_cell(&c, &names, side, &groups.keys.key[i],
		         percentile(&groups.histogram[i], 50));
	p->finding = range_words(&c);
	names_describe(&names, p, measure_words(c.measure));
	say_runs(p, &rows);
	block_begin(p, "frames");
	block_end(p);
	put_cells(p, &c, 1);
}

/* Matrix ------------------------------------------------------------------- */

struct matrix {
	struct side devices;
	struct key_set tests, transfers; /* transfers: of each cell */
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
take_transfer(struct matrix *m, struct cells *c, const struct table *t,
              size_t col, const char *const end[2])
{
	struct key_set *devices = &m->devices.texts;
	const char *crosses = optional_text(t, "crosses");
	bool modelled = row_has(t, "model_gbit_s");
	struct cell row = {
	    .y = key_set_intern_text(devices, end[0]),
	    .x = key_set_intern_text(devices, end[1]),
	    .panel = row_key(&m->tests, t, false, of_transfer),
	    .apart = !strcmp(end[0], end[1]),
	    .bound = row_number(t, "model_gbit_s"),
	    .near = !*crosses && modelled,
	    .same_socket = strcmp(crosses, "socket") != 0 && modelled,
	};
	char *key = xasprintf("%zu %zu %zu", row.panel, row.y, row.x);
	size_t i = key_set_intern_text(&m->transfers, key);

	free(key);
	c->cell =
	    key_set_grow(&m->transfers, c->cell, &c->room, sizeof *c->cell);
	c->n = m->transfers.n;
	row.runs = c->cell[i].runs;
	curve_add(&row.runs, row_value(t, col),
	          row_number(t, "model_ratio_pct"));
	c->cell[i] = row;
}

static bool
find_ends(const struct table *t, const char *end[2])
{
	for (size_t i = 0; i < ARRAY_LEN(pairs); i++) {
		end[0] = optional_text(t, pairs[i][0]);
		end[1] = optional_text(t, pairs[i][1]);
		if (*end[0] && *end[1])
			return true;
	}
	return false;
}

static void
read_matrix(struct matrix *m, struct cells *c, struct row_reader *r,
            struct table *t)
{
	const char *end[2];
	uintmax_t skipped = 0;

	while (row_reader_next(r, t)) {
		/* pcb-model flows ends with totals. */
		if (!strcmp(optional_text(t, "from"), "total"))
			continue;
		if (find_ends(t, end)) {
			take_transfer(m, c, t, r->col, end);
		} else {
			trace_skipped(t, "both ends");
			skipped++;
		}
	}
	for (size_t i = 0; i < ARRAY_LEN(pairs) && skipped && !m->tests.n;
	     i++) {
		if (table_find(t, pairs[i][0]) >= 0 &&
		    table_find(t, pairs[i][1]) >= 0)
			die("%s: no row has both ends, such as "
			    "%s and %s",
			    t->file, pairs[i][0], pairs[i][1]);
	}
	if (skipped && !m->tests.n)
		need_column(t, pairs[0][0]);
	warn_skipped(skipped, "both ends");
	c->measure = r->measure;
	for (struct cell *of = c->cell; of < c->cell + c->n; of++) {
		size_t n = of->runs.n;

		curve_sort(&of->runs);
		of->value = of->runs.point[(n - 1) / 2].x / 2 +
		            of->runs.point[n / 2].x / 2;
		of->share = of->runs.point[n / 2].y;
	}
}

/* Gives both the first name; returns whether they differed. */
static bool
join(const char **a, const char **b)
{
	bool differ = strcmp(*a, *b) != 0;

	*a = *b = name_order(*a, *b) < 0 ? *a : *b;
	return differ;
}

/* Puts devices of an island or a socket together, and transfers in places. */
static void
order_devices(struct matrix *m, struct cells *c)
{
	struct value *d;
	bool changed = true;

	list_values(&m->devices);
	d = m->devices.value;
	for (size_t i = 0; i < m->devices.texts.n; i++)
		d[i].socket = d[i].island = d[i].text;
	while (changed) {
		changed = false;
		for (struct cell *of = c->cell; of < c->cell + c->n; of++) {
			struct value *a = &d[of->y], *b = &d[of->x];

			changed |= of->near && join(&a->island, &b->island);
			changed |=
			    of->same_socket && join(&a->socket, &b->socket);
		}
	}
	order_values(&m->devices);
	for (struct cell *of = c->cell; of < c->cell + c->n; of++) {
		of->x = m->devices.place[of->x];
		of->y = m->devices.place[of->y];
	}
}

/* Frames around the squares of islands. */
static void
outline_islands(struct picture *p, const struct matrix *m)
{
	block_begin(p, "frames");
	for (size_t i = 0, k; i < m->devices.texts.n; i = k) {
		const struct value *d = m->devices.value;

		for (k = i + 1; k < m->devices.texts.n &&
		                !strcmp(d[k].island, d[i].island);)
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
transfer_words(const char *measure, const struct cell *of)
{
	char *text = quantity_words(measure, of->value);
	struct range r = range_of(&of->runs, 1, false);

	if (of->runs.n > 1)
		add_words(&text, "", "; %zu runs: %s to %s", of->runs.n,
		          quantity_words(measure, r.low),
		          quantity_words(measure, r.high));
	if (!isnan(of->bound))
		add_words(&text, "", " of %.5g, %.3g %%", of->bound, of->share);
	return text;
}

/* Bytes before the first digit, if all names begin with them and go on. */
static size_t
common_prefix(const struct side *devices)
{
	const char *first = devices->value[0].text;
	size_t length = strcspn(first, "0123456789");

	for (size_t i = 0; i < devices->texts.n; i++) {
		const char *name = devices->value[i].text;

		if (strncmp(first, name, length) != 0 || !name[length])
			return 0;
	}
	return length;
}

/*
 * Names of columns: without what all begin with if they would not fit, or
 * numbers, which the names of rows have, too.
 */
static void
name_devices(struct cells *c, const struct side *devices)
{
	static const char from[] = "from ";
	size_t n = devices->texts.n, widest = 0, prefix = 0;
	double room;
	bool wide;

	for (size_t i = 0; i < n; i++)
		widest = max_plain_width(widest, devices->value[i].text);
	c->nx = c->ny = n;
	c->yw = widest + strlen(from);
	room = column_room(c) - 1;
	if ((double)widest > room && n > 1)
		prefix = common_prefix(devices);
	wide = (double)(widest - prefix) > room &&
	       widest - prefix > (size_t)log10((double)n) + 1;
	c->xname = keep(n, sizeof *c->xname);
	c->yname = keep(n, sizeof *c->yname);
	for (size_t i = 0; i < n; i++) {
		const char *device = devices->value[i].text;

		c->xname[i] =
		    wide ? words("%zu", i + 1) : words("%s", device + prefix);
		c->yname[i] = wide ? words("%zu %s%s", i + 1, from, device)
		                   : words("%s%s", from, device);
	}
}

/* Notes the bound that all have, and what numbers and frames are. */
static void
add_note(struct picture *p, const struct cells *c)
{
	struct range bound = RANGE_OF_NONE;
	bool near = false, shares = false;

	for (const struct cell *of = c->cell; of < c->cell + c->n; of++) {
		widen(&bound, of->bound);
		near |= of->near;
		shares |= of->part != NULL;
	}
	if (bound.low == bound.high)
		add_words(&p->note, "; ", "bound: %.5g %s", bound.low,
		          rate_unit().name);
	if (shares)
		add_words(&p->note, "; ",
		          "below a number: its share of the bound");
	if (near && !p->terminal->text)
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
	static struct cells c;
	const struct cell *worst = NULL;
	struct names names;
	bool shares = false;

	c.p = p;
	read_matrix(&m, &c, &r, t);
	order_devices(&m, &c);
	name_devices(&c, &m.devices);
	names = names_of(t, &m.tests);
	for (size_t i = 0; i < m.tests.n; i++)
		PUSH(c.what, c.np,
		     joined("to", ": ", names_key(&names, &m.tests, i, "")));
	for (struct cell *of = c.cell; of < c.cell + c.n; of++) {
		of->where = words("%s to %s", m.devices.value[of->y].text,
		                  m.devices.value[of->x].text);
		of->says = transfer_words(c.measure, of);
		shares |= !isnan(of->share);
		if (!isnan(of->share) && !of->apart &&
		    (!worst || of->share < worst->share))
			worst = of;
	}
	if (worst)
		p->finding = words("at least %.3g %% of the bound (%s)",
		                   worst->share, worst->where);
	else if (m.tests.n == 1)
		p->finding = range_words(&c);
	names_describe(&names, p, measure_words(c.measure));
	say_runs(p, &r);
	outline_islands(p, &m);
	put_cells(p, &c, shares ? LINES_OF_TWO : 1);
	add_note(p, &c);
}
