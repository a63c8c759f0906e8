/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Latency or bandwidth against a size: lat, bw, window, share; load. */
#include "common/base/util.h"
#include "common/link/model.h"
#include "plot/kind/kind.h"

#include <math.h>

/* Values above this part of a limit are said, in per cent. */
#define ABOVE 102

/* Sweeps ------------------------------------------------------------------- */

/* What a kind reads. */
struct sweep_kind {
	const char *column; /* the axis: sizes; or bandwidths of a load */
	const char *label;  /* its name without unit; NULL for a load */

	/* The value of a row: the first of these, up to a NULL, that it has. */
	const char *const *measures;
	const char *expected; /* column in Gbit/s for measures in Gbit/s */
	const char *needed;   /* for a message: what skipped rows lack */
};

/* Rows that differ only in size; curves are sorted once read. */
struct sweep {
	struct curve values;
	struct curve low, high; /* the edges of the band, where it has one */
	bool band_of_runs;      /* from the lowest to the highest */
	struct curve floor;     /* minima below the band */
	struct curve expected;
	struct curve *more; /* percentiles, for each column of the table */
	struct tallies samples;
	struct pool {
		double x;
		size_t run;
	} * pool; /* of each distribution of samples */
	size_t npools;
	size_t last; /* result of the last search */
	size_t colour;
	unsigned limits; /* a bit for each in limit_words */
};

/* What limits a bandwidth, by the column limited_by. */
enum { BY_LINK, BY_READS, BY_CREDITS, NO_LIMIT };

static const char *const limit_words[] = {"the link", "outstanding reads",
                                          "credits"};

struct sweeps {
	struct key_set keys;
	struct sweep *sweep;       /* one per key */
	size_t room, holes, empty; /* rows without a value; of size 0 */
	char *limits; /* "limited by credits, from 256 bytes on by ..." */
	size_t limit; /* of the row before */
	double limit_at;
	size_t runs;
	double most;         /* per cent of the limit */
	size_t most_by;      /* the limit there */
	const char *measure; /* as in struct row_reader */
};

/* Fast if samples are sorted by place, or by place in turn. */
static size_t
find_pool(struct sweep *s, double x, size_t run)
{
	for (size_t i = 0; i < s->npools; i++) {
		size_t k = (s->last + i) % s->npools;

		if (s->pool[k].x == x && s->pool[k].run == run)
			return s->last = k;
	}
	array_push(s->pool, s->npools, ((struct pool){x, run}));
	return s->last = s->npools - 1;
}

/* Adds a value and its band; NAN: none. */
static void
add_value(struct sweep *s, double x, double y, double low, double high,
          double floor)
{
	curve_add(&s->values, x, y);
	if (!isnan(low)) {
		curve_add(&s->low, x, low);
		curve_add(&s->high, x, high);
	}
	if (!isnan(floor))
		curve_add(&s->floor, x, floor);
}

static void
take_row(struct sweep *s, const struct table *t, double x,
         const struct row_reader *r)
{
	const char *measure = t->name[r->col];
	double value = row_value(t, r->col), low, high, min;

	if (!strcmp(measure, "latency_ns")) {
		row_sample(t, r, &s->samples, find_pool(s, x, r->run));
	} else if (!strcmp(measure, "median_ns") && row_has(t, "p95_ns")) {
		low = row_number(t, "p5_ns");
		high = row_number(t, "p95_ns");
		min = row_number(t, "min_ns");
		add_value(s, x, value, isnan(low) ? min : low, high,
		          isnan(low) ? NAN : min);
	} else {
		add_value(s, x, value, NAN, NAN, NAN);
	}
	/* Without a band, other percentiles are curves. */
	for (size_t i = 0; i < t->ncols && table_find(t, "p95_ns") < 0; i++) {
		const char *name = t->name[i];

		if (*name != 'p' || strcmp(unit_of(name), "ns") != 0 ||
		    name[1 + strspn(name + 1, "0123456789_")] != 'n' ||
		    !row_has(t, name))
			continue;
		if (!s->more)
			s->more = xcalloc(t->ncols, sizeof *s->more);
		curve_add(&s->more[i], x, row_value(t, i));
	}
}

/*
 * Notes what limits the model, for a single curve also where that changes, and
 * the largest part of it in per cent.
 */
static void
take_limit(struct sweeps *s, struct sweep *of, const struct table *t, double x,
           double part)
{
	const char *text = optional_text(t, "limited_by");
	size_t limit = !strcmp(text, "inflight")  ? BY_READS
	               : !strcmp(text, "credits") ? BY_CREDITS
	               : strstr(text, "_bytes")   ? BY_LINK
	                                          : NO_LIMIT;

	if (part > s->most) {
		s->most = part;
		s->most_by = limit;
	}
	if (limit == NO_LIMIT)
		return;
	of->limits |= 1u << limit;
	if (s->keys.n > 1 || x < s->limit_at)
		return;
	s->limit_at = x;
	if (!s->limits)
		xappend(&s->limits, "", "limited by %s", limit_words[limit]);
	else if (s->limit != limit)
		xappend(&s->limits, ", ", "from %.10g bytes on by %s", x,
		        limit_words[limit]);
	s->limit = limit;
}

/* "limit of the link and credits"; of the link, if that is not known. */
static char *
limit_name(unsigned limits)
{
	char *of = NULL, *name;

	for (size_t i = 0; i < NO_LIMIT; i++) {
		if ((limits ? limits : 1u << BY_LINK) & 1u << i)
			xappend(&of, " and ", "%s", limit_words[i]);
	}
	name = xasprintf("limit of %s", of);
	free(of);
	return name;
}

/* The value of a curve at x, or NAN. */
static double
value_at(const struct curve *c, double x)
{
	for (size_t i = 0; i < c->n; i++) {
		if (c->point[i].x == x && !isnan(c->point[i].y))
			return c->point[i].y;
	}
	return NAN;
}

/*
 * Sorts, and puts the median in place of several values at one x, NAN if there
 * is none. Adds the lowest and the highest of several to curves, unless these
 * are NULL.
 */
static void
merge_runs(struct curve *c, struct curve *low, struct curve *high)
{
	double *value = xcalloc(c->n + 1, sizeof *value);
	size_t n = 0;

	curve_sort(c);
	for (size_t i = 0, k, known; i < c->n; i = k) {
		double x = c->point[i].x;

		for (k = i, known = 0; k < c->n && c->point[k].x == x; k++) {
			if (!isnan(c->point[k].y))
				value[known++] = c->point[k].y;
		}
		c->point[n].x = x;
		c->point[n++].y = known ? sorted_middle(value, known) : NAN;
		if (known > 1 && low) {
			curve_add(low, x, value[0]);
			curve_add(high, x, value[known - 1]);
		}
	}
	c->n = n;
	free(value);
}

/* Summarises the samples of each size, and sorts. */
static void
finish(struct sweep *s, const struct sweep_kind *kind, size_t ncols)
{
	struct histogram *d = tallies_finish(&s->samples, s->npools);

	for (size_t i = 0; i < s->npools; i++)
		add_value(s, s->pool[i].x, percentile(&d[i], 50),
		          percentile(&d[i], 5), percentile(&d[i], 95),
		          histogram_nth(&d[i], 0));
	histograms_free(d);
	free(s->pool);
	merge_runs(&s->low, NULL, NULL);
	merge_runs(&s->high, NULL, NULL);
	merge_runs(&s->floor, NULL, NULL);
	for (size_t i = 0; s->more && i < ncols; i++)
		merge_runs(&s->more[i], NULL, NULL);
	s->band_of_runs = !s->low.n && !s->more;
	/* Bandwidth may fall while the load rises. */
	if (kind->label)
		merge_runs(&s->values, s->band_of_runs ? &s->low : NULL,
		           &s->high);
	curve_sort(&s->expected);
}

static bool
curve_has_values(const struct curve *c)
{
	size_t i = 0;

	while (i < c->n && isnan(c->point[i].y))
		i++;
	return i < c->n;
}

/*
 * Reads the table to its end; pools samples of one size. Dies if the input is
 * bad, columns are missing or measures have different units; warns of rows
 * without a value. `rising` is the column that raises a load.
 */
static void
sweeps_read(struct sweeps *s, struct table *t, const struct sweep_kind *kind,
            const char *rising)
{
	struct row_reader r = {.measures = kind->measures,
	                       .place = kind->column,
	                       .axis = kind->label ? kind->column : rising,
	                       .lacking = kind->needed,
	                       .holes = true,
	                       .runs_apart = !kind->label};

	while (row_reader_next(&r, t)) {
		size_t place = (size_t)table_find(t, kind->column);
		double x =
		    kind->label ? row_size(t, place) : row_value(t, place);
		double value, expected;
		size_t i;

		/* Some programs measure size 0, too; a logarithm has none. */
		if (kind->label && x <= 0) {
			s->empty++;
			continue;
		}
		i = key_set_intern(&s->keys, &r.key);
		s->sweep = key_set_grow(&s->keys, s->sweep, &s->room,
		                        sizeof *s->sweep);
		if (r.hole) {
			curve_add(&s->sweep[i].values, x, NAN);
			s->holes++;
			continue;
		}
		take_row(&s->sweep[i], t, x, &r);
		value = row_value(t, r.col);
		if (!strcmp(t->name[r.col], "model_ratio_pct"))
			take_limit(s, &s->sweep[i], t, x, value);
		if (!strcmp(unit_of(r.measure), "gbit_s") &&
		    row_has(t, kind->expected)) {
			expected = row_number(t, kind->expected);
			curve_add(&s->sweep[i].expected, x, expected);
			take_limit(s, &s->sweep[i], t, x,
			           100 * value / expected);
		}
	}
	s->measure = r.measure;
	s->runs = r.runs.n;
	row_reader_free(&r);
	for (size_t i = 0; i < s->keys.n; i++)
		finish(&s->sweep[i], kind, t->ncols);
}

/* Bands -------------------------------------------------------------------- */

/* More bands could not be told apart. */
#define BANDS_MOST 6

/* Whether the bands overlap at more than half of their common places. */
static bool
overlap(const struct sweep *a, const struct sweep *b)
{
	size_t apart = 0, both = 0, k = 0;

	for (size_t i = 0; i < a->low.n; i++) {
		double x = a->low.point[i].x;

		while (k < b->low.n && b->low.point[k].x < x)
			k++;
		if (k == b->low.n || b->low.point[k].x != x)
			continue;
		both++;
		apart += a->low.point[i].y > b->high.point[k].y ||
		         b->low.point[k].y > a->high.point[i].y;
	}
	return 2 * apart < both;
}

/* Whether a value is missing between two places. */
static bool
any_missing(const struct curve *c, double from, double to)
{
	for (size_t i = 0; i < c->n; i++) {
		if (c->point[i].x > from && c->point[i].x < to &&
		    isnan(c->point[i].y))
			return true;
	}
	return false;
}

/* Overlapping bands form a patchwork in which none is visible. */
static bool
any_overlap(const struct sweeps *s)
{
	for (size_t i = 0; i < s->keys.n; i++) {
		for (size_t k = i + 1; k < s->keys.n; k++) {
			if (s->sweep[i].colour != s->sweep[k].colour &&
			    overlap(&s->sweep[i], &s->sweep[k]))
				return true;
		}
	}
	return false;
}

/*
 * Along the lower edge and back along the upper one, an area for each part
 * without a missing value.
 */
static struct curve
band_of(const struct sweep *s)
{
	const struct plot_point *low = s->low.point, *high = s->high.point;
	struct curve band = {0};
	size_t from = 0;

	for (size_t i = 0; i < s->low.n; i++) {
		if (i + 1 < s->low.n &&
		    !any_missing(&s->values, low[i].x, low[i + 1].x))
			continue;
		if (from)
			curve_add(&band, NAN, 0);
		for (size_t k = from; k <= i; k++)
			curve_add(&band, low[k].x, low[k].y);
		for (size_t k = i + 1; k-- > from;)
			curve_add(&band, high[k].x, high[k].y);
		from = i + 1;
	}
	return band;
}

/*
 * Adds the bands and then the minima of all sweeps, and a note that explains
 * them; nothing if there are too many to tell apart.
 */
static void
add_bands(struct picture *p, struct sweeps *s)
{
	bool p5 = false, minimum = false; /* where bands start */
	bool runs = false;

	for (size_t i = 0; i < s->keys.n; i++) {
		runs = runs || s->sweep[i].band_of_runs;
		p5 = p5 || s->sweep[i].floor.n;
		minimum = minimum || s->sweep[i].low.n > s->sweep[i].floor.n;
	}
	if (s->keys.n > BANDS_MOST || (!p5 && !minimum))
		return;
	if (any_overlap(s)) {
		p->note =
		    runs ? NULL
		         : xstrdup("median; bands from p5 to p95 overlap, and "
		                   "are left out");
		return;
	}
	p->note =
	    xstrdup(runs  ? "median; band from the lowest to the highest run"
	            : !p5 ? "median; band from minimum to p95"
	            : minimum ? "median; band from p5, or the minimum, to p95"
	                      : "median; band from p5 to p95; dots: minimum");
	for (size_t i = 0; i < s->keys.n; i++) {
		struct sweep *sweep = &s->sweep[i];
		struct curve band = band_of(sweep);

		picture_take_if(p, STYLE_BAND, NULL, sweep->colour, &band);
	}
	for (size_t i = 0; i < s->keys.n; i++)
		picture_take_if(p, STYLE_FLOOR, NULL, s->sweep[i].colour,
		                &s->sweep[i].floor);
}

/* Says the values for the pointer: "560 ns at 64 bytes; p5 548 ns, ...". */
static void
say_values(struct sweep *s, const char *measure, const char *column)
{
	const struct {
		const char *name;
		const struct curve *curve;
	} others[] = {{s->band_of_runs ? "lowest run"
	               : s->floor.n    ? "p5"
	                               : "minimum",
	               &s->low},
	              {s->band_of_runs ? "highest run" : "p95", &s->high},
	              {"minimum", &s->floor}};

	for (size_t i = 0; i < s->values.n; i++) {
		struct plot_point at = s->values.point[i];
		char *value, *where, *text;

		if (isnan(at.y))
			continue;
		value = quantity_words(measure, at.y);
		where = is_bytes(column) ? xasprintf("%.10g bytes", at.x)
		                         : quantity_words(column, at.x);
		text = xasprintf("%s at %s", value, where);
		free(value);
		free(where);
		for (size_t k = 0; k < ARRAY_LEN(others); k++) {
			double other = value_at(others[k].curve, at.x);

			value = quantity_words(measure, other);
			if (!isnan(other))
				xappend(&text, "; ", "%s %s", others[k].name,
				        value);
			free(value);
		}
		curve_say(&s->values, text);
	}
}

/* Expectations ------------------------------------------------------------- */

/* A curve of the model, for all sweeps with the same expectation. */
struct model {
	struct key key;  /* what its sweeps have in common */
	size_t first, n; /* index of the first of them, and number */
	unsigned limits;
	struct curve curve;
};

static const char accounting[] = "model_accounting";

/* Whether the two agree at every common x. */
static bool
agree(const struct curve *a, const struct curve *b)
{
	size_t i = 0, k = 0;

	while (i < a->n && k < b->n) {
		if (a->point[i].x < b->point[k].x)
			i++;
		else if (a->point[i].x > b->point[k].x)
			k++;
		else if (a->point[i].y != b->point[k++].y)
			return false;
	}
	return true;
}

static bool
same_cell(const struct table *t, const char *column, const struct key *a,
          const struct key *b)
{
	ptrdiff_t col = table_find(t, column);

	return col < 0 ||
	       !strcmp(key_find(a, (size_t)col), key_find(b, (size_t)col));
}

/*
 * The cells that both keys have in common. A sweep's kind is not the model's;
 * the accounting is its name.
 */
static struct key
common_key(const struct table *t, const struct key *a, const struct key *b)
{
	struct key key = {0};

	for (size_t col = 0; col < t->ncols; col++) {
		const char *text = key_find(a, col);

		if (*text && !strcmp(text, key_find(b, col)) &&
		    strcmp(t->name[col], "kind") != 0 &&
		    strcmp(t->name[col], accounting) != 0)
			key_append(&key, col, text);
	}
	return key;
}

/*
 * Adds the expectation of each sweep: to a model of the same link and bench
 * that never contradicts it, else as a new one. Returns the number of models.
 */
static size_t
find_models(struct model **models, const struct table *t,
            const struct sweeps *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->keys.n; i++) {
		const struct key *key = &s->keys.key[i];
		const struct curve *expected = &s->sweep[i].expected;
		struct model *m = *models, *end = m + n;
		struct key common;

		if (!expected->n)
			continue;
		for (; m != end; m++) {
			const struct key *of = &s->keys.key[m->first];

			if (same_cell(t, "link", of, key) &&
			    same_cell(t, "bench", of, key) &&
			    same_cell(t, accounting, of, key) &&
			    agree(&m->curve, expected))
				break;
		}
		if (m == end) {
			array_push(*models, n, (struct model){.first = i});
			m = &(*models)[n - 1];
		}
		common = common_key(t, m->n ? &m->key : key, key);
		free(m->key.bytes);
		m->key = common;
		m->limits |= s->sweep[i].limits;
		m->n++;
		curve_append(&m->curve, expected);
		curve_unique(&m->curve);
	}
	return n;
}

static void
add_models(struct picture *p, const struct names *names, const struct sweeps *s)
{
	ptrdiff_t col = table_find(names->t, accounting);
	struct model *models = NULL;
	size_t n = find_models(&models, names->t, s);

	for (size_t i = 0; i < n; i++) {
		struct model *m = &models[i];
		const char *how =
		    col < 0 ? ""
		            : key_find(&s->keys.key[m->first], (size_t)col);
		char *rest = names_legend(names, &m->key), *name;
		char *limit = limit_name(m->limits);

		/* Real data may exceed any other accounting. */
		if (!strcmp(how, accounting_names[ACCOUNTING_TRAFFIC]))
			how = limit;
		name = xasprintf("%s%s%s", *how ? how : "model",
		                 *rest ? ", " : "", rest);
		picture_take(p, STYLE_MODEL, name,
		             m->n == 1 && s->keys.n > 1
		                 ? s->sweep[m->first].colour
		                 : COLOUR_NONE,
		             &m->curve);
		free(limit);
		free(rest);
		free(m->key.bytes);
	}
	free(models);
}

/* Curves that coincide ---------------------------------------------------- */

/* Part of an axis within which two points look like one. */
#define SAME_PLACE 0.005

/* Whether the later of two curves hides the earlier one. */
static bool
coincide(const struct picture *p, const struct curve *a, const struct curve *b)
{
	if (!a->name || !b->name || a->n != b->n || a->n < 2)
		return false;
	for (size_t i = 0; i < a->n; i++) {
		struct plot_point u = a->point[i], v = b->point[i];
		double dx =
		    axis_position(&p->x, u.x) - axis_position(&p->x, v.x);
		double dy =
		    axis_position(&p->y, u.y) - axis_position(&p->y, v.y);

		if (!(fabs(dx) < SAME_PLACE && fabs(dy) < SAME_PLACE))
			return false;
	}
	return true;
}

/* Notes "A coincides with B", and the number of others. */
static void
say_what_coincides(struct picture *p)
{
	const char *hidden = NULL, *by = NULL;
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++) {
		for (size_t k = i + 1; k < p->n; k++) {
			if (!coincide(p, &p->curve[i], &p->curve[k]))
				continue;
			if (!n++) {
				hidden = p->curve[i].name;
				by = p->curve[k].name;
			}
			break;
		}
	}
	if (n)
		xappend(&p->note, "; ", "%s coincides with %s", hidden, by);
	if (n > 1)
		xappend(&p->note, ", ", "and %zu more", n - 1);
}

/* Picture ------------------------------------------------------------------ */

/* Makes the curves, whose colours bands and models share. */
static struct curve *
name_sweeps(const struct names *names, struct sweeps *s)
{
	/* A sweep without distinguishing columns is named after its kind. */
	const char *kind = names_constant(names, "kind");
	double *median = xcalloc(s->keys.n, sizeof *median);
	struct curve *curve;

	for (size_t i = 0; i < s->keys.n; i++)
		median[i] = points_middle(&s->sweep[i].values, 1, true);
	curve = named_curves(names, &s->keys, true, median,
	                     *kind ? kind : "measured");
	for (size_t i = 0; i < s->keys.n; i++) {
		if (is_computed(names, &s->keys.key[i]))
			curve[i].style = STYLE_MODEL;
		s->sweep[i].colour = curve[i].colour;
	}
	free(median);
	return curve;
}

static void
add_values(struct picture *p, struct curve curve[], struct sweeps *s)
{
	for (size_t i = 0; i < s->keys.n; i++) {
		struct curve *values = &s->sweep[i].values, *c;

		if (!curve_has_values(values))
			values->n = 0;
		c = picture_take(p, curve[i].style, curve[i].name,
		                 curve[i].colour, values);
		c->thin = curve[i].thin;
		c->whole = curve[i].whole;
	}
	free(curve);
}

/* Adds percentiles: "cache cold, p99.9", in the colour of the medians. */
static void
add_more(struct picture *p, const struct names *names, struct sweeps *s)
{
	const struct table *t = names->t;

	for (size_t i = 0; i < s->keys.n; i++) {
		struct sweep *sweep = &s->sweep[i];
		unsigned dash = 0;

		for (size_t k = 0; sweep->more && k < t->ncols; k++) {
			char *name = names_legend(names, &s->keys.key[i]);
			char *pct = column_words(t->name[k]), *dot;

			while ((dot = strchr(pct, ' ')))
				*dot = '.';
			xappend(&name, *name ? ", " : "", "%s", pct);
			if (sweep->more[k].n)
				picture_take(p, STYLE_DASHED, xstrdup(name),
				             sweep->colour, &sweep->more[k])
				    ->dash = dash++;
			free(pct);
			free(name);
		}
		free(sweep->more);
	}
}

/* The value `least` must be visible. */
static void
choose_y(struct picture *p, const struct names *names, const char *measure,
         const char *ratio, double least)
{
	bool both_ways = !strcmp(names_constant(names, "bench"), "bw_rdwr");
	struct value_range y = picture_range(p, true);

	if (!strcmp(unit_of(measure), "ns"))
		axis_values(&p->y, measure_words(measure), "ns", y.low, y.high,
		            LOG_FROM * least, p->room_y);
	else if (ratio)
		axis_values(&p->y, ratio, "", y.low, y.high, INFINITY,
		            p->room_y);
	else
		axis_from_zero(&p->y,
		               both_ways ? "bandwidth each way" : "bandwidth",
		               "Gbit/s", y.low, y.high, p->room_y);
}

static double
least_value(const struct sweeps *s)
{
	double least = INFINITY;

	for (size_t i = 0; i < s->keys.n; i++) {
		for (size_t k = 0; k < s->sweep[i].values.n; k++)
			least = fmin(least, s->sweep[i].values.point[k].y);
	}
	return least;
}

/* A line at 100 %. */
static void
add_base(struct picture *p, const char *name)
{
	struct value_range x = picture_range(p, false);
	struct curve base = {0};

	curve_add(&base, x.low, 100);
	if (x.high > x.low)
		curve_add(&base, x.high, 100);
	picture_take_if(p, STYLE_MODEL, name, COLOUR_NONE, &base);
}

/*
 * Reads the table to its end and fills the picture: a curve for rows that
 * differ only in size, its model if there is one, and for few curves of latency
 * the scatter. Dies as sweeps_read does.
 */
void
draw_sweep(struct picture *p, struct table *t, const struct sweep_kind *kind)
{
	struct sweeps s = {0};
	struct names names;
	struct curve *curve;
	char *ratio = NULL, *base, *other, *limit;
	unsigned limits = 0;
	double least;

	sweeps_read(&s, t, kind, p->x_column ? p->x_column : "inject_delay");
	least = least_value(&s);
	names = names_of(t, &s.keys);
	compared_words(&names, &base, &other);
	for (size_t i = 0; i < s.keys.n; i++)
		limits |= s.sweep[i].limits;
	limit = limit_name(limits);
	if (!strcmp(s.measure, "model_ratio_pct"))
		ratio = xasprintf("%% of the %s", limit);
	else if (!strcmp(unit_of(s.measure), "pct"))
		ratio = xasprintf("%s%s%% of %s", other, *other ? " in " : "",
		                  *base ? base : "the base");
	free(base);
	free(other);
	names_describe(&names, p, measure_words(s.measure));
	if (s.runs > 1)
		xappend(&p->subtitle, ", ", "%zu runs", s.runs);
	for (size_t i = 0; i < s.keys.n; i++)
		say_values(&s.sweep[i], s.measure, kind->column);
	curve = name_sweeps(&names, &s);
	add_bands(p, &s);
	add_values(p, curve, &s);
	add_more(p, &names, &s);
	add_models(p, &names, &s);
	if (ratio && s.keys.n)
		add_base(p,
		         strcmp(s.measure, "ratio_pct") == 0 ? "base" : limit);
	free(limit);
	if (kind->label)
		axis_of_sizes(p, kind->label);
	else
		axis_from_zero(&p->x, "bandwidth", "Gbit/s",
		               picture_range(p, false).low,
		               picture_range(p, false).high, p->room);
	choose_y(p, &names, s.measure, ratio, least);
	free(ratio);
	say_what_coincides(p);
	if (s.most > ABOVE)
		xappend(&p->note, "; ", "up to %.3g %% of the limit%s", s.most,
		        s.most_by == BY_READS
		            ? ": --inflight or --rtt is too low"
		            : "");
	if (limits & ~(1u << BY_LINK) && s.limits)
		xappend(&p->note, "; ", "%s", s.limits);
	free(s.limits);
	if (s.empty)
		xappend(&p->note, "; ", "left out: %zu row%s of size 0",
		        s.empty, s.empty == 1 ? "" : "s");
	if (s.holes)
		xappend(&p->note, "; ", "gaps: %zu row%s without a value",
		        s.holes, s.holes == 1 ? "" : "s");
	names_free(&names);
	for (size_t i = 0; i < s.keys.n; i++) {
		free(s.sweep[i].low.point);
		free(s.sweep[i].high.point);
		free(s.sweep[i].floor.point);
		free(s.sweep[i].expected.point);
	}
	free(s.sweep);
	key_set_free(&s.keys);
}

/* Kinds -------------------------------------------------------------------- */

static const struct sweep_kind lat_sweep = {
    .column = "size_bytes",
    .label = "transfer size",
    .measures =
        (const char *const[]){"median_ns", "latency_ns", "mean_ns", NULL},
    .needed = "a size or a latency",
};

const struct kind kind_lat = {
    .name = "lat",
    .help = "latency against transfer size: median, p5 to p95, minimum",
    .takes = TAKES_AXES,
    .sweep = &lat_sweep,
};

static const struct sweep_kind bw_sweep = {
    .column = "size_bytes",
    .label = "transfer size",
    .measures =
        (const char *const[]){"median_gbit_s", "bandwidth_gbit_s", NULL},
    .expected = "model_gbit_s",
    .needed = "a size or a bandwidth",
};

const struct kind kind_bw = {
    .name = "bw",
    .help = "bandwidth against transfer size, with the model if it is there",
    .takes = TAKES_AXES,
    .sweep = &bw_sweep,
};

static const struct sweep_kind window_sweep = {
    .column = "window_bytes",
    .label = "window",
    .measures =
        (const char *const[]){"median_ns", "latency_ns", "median_gbit_s",
                              "bandwidth_gbit_s", "ratio_pct", NULL},
    .expected = "model_gbit_s",
    .needed = "a window or a measure",
};

const struct kind kind_window = {
    .name = "window",
    .help = "latency or bandwidth against the window of memory",
    .takes = TAKES_AXES,
    .sweep = &window_sweep,
};

static const struct sweep_kind share_sweep = {
    .column = "size_bytes",
    .label = "transfer size",
    .measures = (const char *const[]){"model_ratio_pct", "ratio_pct", NULL},
    .needed = "a size or a share",
};

const struct kind kind_share = {
    .name = "share",
    .help = "bandwidth in % of the limit of pcb-model, against transfer size",
    .takes = TAKES_AXES,
    .sweep = &share_sweep,
};

static const struct sweep_kind load_sweep = {
    .column = "bandwidth_gbit_s",
    .measures =
        (const char *const[]){"median_ns", "mean_ns", "latency_ns", NULL},
    .needed = "a bandwidth or a latency",
};

const struct kind kind_load = {
    .name = "load",
    .help = "latency against bandwidth, as the load rises",
    .takes = TAKES_AXES | TAKES_X,
    .sweep = &load_sweep,
};
