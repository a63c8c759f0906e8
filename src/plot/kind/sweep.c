/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Latency or bandwidth against a size: lat, bw, window, share, nic; load. */
#include "common/base/util.h"
#include "common/link/model.h"
#include "plot/kind/kind.h"
#include "plot/picture/drawing.h"

#include <ctype.h>
#include <math.h>

/* Values above this part of a limit are said, in per cent. */
#define ABOVE 102

/* In us: a logarithm has no 0. */
#define LEAST_SILENCE 1

/* Sweeps ------------------------------------------------------------------- */

/* What a kind reads. */
struct sweep_kind {
	const char *column; /* the axis: sizes; or bandwidths of a load */
	const char *label;  /* its name without unit; NULL for a load */

	/* The value of a row: the first of these, up to a NULL, that it has. */
	const char *const *measures;
	const char *expected; /* column in Gbit/s for measures in Gbit/s */
	const char *link;     /* column that `expected` depends on, no curve */
	const char *needed;   /* for a message: what skipped rows lack */
	bool outstanding; /* the axis is what is outstanding, and how much */
	bool silence;     /* the axis is time before a sample, in us */
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
	size_t last;     /* result of the last search */
	unsigned limits; /* a bit for each in limit_words */
};

/* What limits a bandwidth, by the column limited_by. */
enum { BY_LINK, BY_READS, BY_CREDITS, NO_LIMIT };

static const char *const limit_words[] = {"the link", "outstanding reads",
                                          "credits"};

struct sweeps {
	struct key_set keys, links;
	struct curve *of_link; /* the bound of each link */
	size_t link_room;
	bool counts;               /* the axis is a number of transfers */
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
		if (known > 1 && low && high) {
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
	s->band_of_runs = !s->low.n && !s->more && !kind->link;
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

/* Ethernets have a bound each, whatever the device. */
static void
take_link(struct sweeps *s, const struct table *t, const char *column, double x,
          double bound)
{
	size_t i = key_set_intern_text(&s->links, optional_text(t, column));

	s->of_link = key_set_grow(&s->links, s->of_link, &s->link_room,
	                          sizeof *s->of_link);
	curve_add(&s->of_link[i], x, bound);
}

/* The number at the end of a text, such as that of "sm/workers64"; or 0. */
static double
number_at_end(const char *text)
{
	const char *at = text + strlen(text);

	while (at > text && isdigit((unsigned char)at[-1]))
		at--;
	return strtod(at, NULL);
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
	const char *place_of =
	    kind->outstanding && rising ? rising : kind->column;
	struct row_reader r = {.measures = kind->measures,
	                       .place = place_of,
	                       .axis = kind->label ? place_of : rising,
	                       .besides = kind->link,
	                       .lacking = kind->needed,
	                       .holes = true,
	                       .runs_apart = !kind->label};

	while (row_reader_next(&r, t)) {
		size_t place = (size_t)table_find(t, r.place);
		double x = kind->outstanding ? number_at_end(t->field[place])
		           : kind->silence
		               ? 1000 * fmax(LEAST_SILENCE, row_value(t, place))
		           : kind->label ? row_size(t, place)
		                         : row_value(t, place);
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
			if (kind->link)
				take_link(s, t, kind->link, x, expected);
			else
				curve_add(&s->sweep[i].expected, x, expected);
			if (!kind->link)
				take_limit(s, &s->sweep[i], t, x,
				           100 * value / expected);
		}
	}
	s->measure = r.measure;
	s->counts = kind->outstanding;
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
			if (overlap(&s->sweep[i], &s->sweep[k]))
				return true;
		}
	}
	return false;
}

/* How to read bands; NULL: there are none, or too many to tell apart. */
static char *
band_note(const struct sweeps *s, bool *drawn)
{
	bool p5 = false, minimum = false; /* where bands start */
	bool runs = false;

	*drawn = false;
	for (size_t i = 0; i < s->keys.n; i++) {
		runs = runs || s->sweep[i].band_of_runs;
		p5 = p5 || s->sweep[i].floor.n;
		minimum = minimum || s->sweep[i].low.n > s->sweep[i].floor.n;
	}
	if (s->keys.n > BANDS_MOST || (!p5 && !minimum))
		return NULL;
	if (any_overlap(s))
		return runs ? NULL
		            : xstrdup("median; bands from p5 to p95 overlap, "
		                      "and are left out");
	*drawn = true;
	return xstrdup(runs  ? "median; band from the lowest to the highest run"
	               : !p5 ? "median; band from minimum to p95"
	               : minimum
	                   ? "median; band from p5, or the minimum, to p95"
	                   : "median; band from p5 to p95; dots: minimum");
}

/* "560 ns at 64 B; p5 548 ns, p95 580 ns" */
static char *
value_text(const struct sweep *s, struct plot_point at, const char *measure,
           const char *column)
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
	double bound = value_at(&s->expected, at.x);
	char *value = quantity_words(measure, at.y);
	char *where =
	    is_bytes(column) ? size_words(at.x) : quantity_words(column, at.x);
	char *text = xasprintf("%s at %s", value, where);

	free(value);
	free(where);
	for (size_t k = 0; k < ARRAY_LEN(others); k++) {
		double other = value_at(others[k].curve, at.x);

		value = quantity_words(measure, other);
		if (!isnan(other))
			xappend(&text, "; ", "%s %s", others[k].name, value);
		free(value);
	}
	if (!isnan(bound))
		xappend(&text, "; ", "%.3g %% of the limit",
		        100 * at.y / bound);
	return text;
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

/* A bound with its name; takes the name. */
struct bound {
	struct curve curve;
	char *name;
};

static size_t
list_bounds(struct bound **bounds, const struct names *names, struct sweeps *s)
{
	ptrdiff_t col = table_find(names->t, accounting);
	struct model *models = NULL;
	size_t n = find_models(&models, names->t, s), all = 0;

	for (size_t i = 0; i < n; i++) {
		struct model *m = &models[i];
		const char *how =
		    col < 0 ? ""
		            : key_find(&s->keys.key[m->first], (size_t)col);
		char *rest = names_legend(names, &m->key);
		char *limit = limit_name(m->limits);

		/* Real data may exceed any other accounting. */
		if (!strcmp(how, accounting_names[ACCOUNTING_TRAFFIC]))
			how = limit;
		array_push(
		    *bounds, all,
		    ((struct bound){m->curve,
		                    xasprintf("%s%s%s", *how ? how : "model",
		                              *rest ? ", " : "", rest)}));
		free(limit);
		free(rest);
		free(m->key.bytes);
	}
	for (size_t i = 0; i < s->links.n; i++) {
		const char *rate = key_find(&s->links.key[i], 0);

		curve_unique(&s->of_link[i]);
		array_push(*bounds, all,
		           ((struct bound){s->of_link[i],
		                           xasprintf("Ethernet%s%s",
		                                     *rate ? " " : "", rate)}));
	}
	free(models);
	return all;
}

/* Outstanding -------------------------------------------------------------- */

/* What n outstanding transfers allow: n * size / RTT, up to the link. */
struct flight {
	double bytes, rtt_ns, link; /* of the link NAN: not known */
};

/* The time comes from the point with the least outstanding. */
static struct flight
flight_of(const struct table *t, const struct sweeps *s, size_t i)
{
	const struct curve *v = &s->sweep[i].values, *b = &s->sweep[i].expected;
	ptrdiff_t size = table_find(t, "size_bytes");
	const char *text =
	    size < 0 ? "" : key_find(&s->keys.key[i], (size_t)size);
	struct flight f = {.bytes = strtod(text, NULL), .link = NAN};

	if (v->n && v->point[0].y > 0)
		f.rtt_ns = v->point[0].x * f.bytes * 8 / v->point[0].y;
	if (b->n)
		f.link = b->point[b->n - 1].y;
	return f;
}

static size_t
list_flights(struct bound **bounds, const struct table *t,
             const struct sweeps *s, const double x[], size_t nx)
{
	size_t n = 0;

	for (size_t i = 0; i < s->keys.n && nx; i++) {
		struct flight f = flight_of(t, s, i);
		double knee = f.link * f.rtt_ns / 8 / f.bytes;
		char *size = size_words(f.bytes), *time = time_words(f.rtt_ns);
		struct curve c = {0};

		if (f.rtt_ns > 0) {
			double most =
			    isnan(knee) ? x[nx - 1] : fmin(knee, x[nx - 1]);

			curve_add(&c, x[0], x[0] * f.bytes * 8 / f.rtt_ns);
			curve_add(&c, most, most * f.bytes * 8 / f.rtt_ns);
			if (most < x[nx - 1])
				curve_add(&c, x[nx - 1], f.link);
			array_push(
			    *bounds, n,
			    ((struct bound){
			        c, xasprintf("n * %s / %s%s", size, time,
			                     isnan(knee)
			                         ? ""
			                         : ", limit of the link")}));
		}
		free(size);
		free(time);
	}
	return n;
}

/* "809 outstanding fill the link; most reached 93.8 %" */
static char *
flight_words(const struct table *t, const struct sweeps *s)
{
	struct flight f;
	const struct curve *v;
	double most = 0;

	if (s->keys.n != 1)
		return NULL;
	f = flight_of(t, s, 0);
	v = &s->sweep[0].values;
	for (size_t i = 0; i < v->n; i++)
		most = fmax(most, v->point[i].y);
	if (isnan(f.link) || f.rtt_ns <= 0)
		return NULL;
	return xasprintf("%.0f outstanding fill the link; %.3g %% reached",
	                 ceil(f.link * f.rtt_ns / 8 / f.bytes),
	                 100 * most / f.link);
}

/* Findings ----------------------------------------------------------------- */

/* A share of the limit that is this part of the best one counts as it. */
#define NEARLY 0.97

/* "96.1 % of the limit of the link, writes, from 2 KiB on" */
static char *
share_words(const struct sweeps *s, const struct curve curve[],
            const char *measure, const char *limit)
{
	bool is_share = !strcmp(measure, "model_ratio_pct");
	double best = 0, from = NAN, last = NAN;
	char *words, *size;
	size_t of = 0;

	for (size_t i = 0; i < s->keys.n; i++) {
		const struct curve *v = &s->sweep[i].values;

		for (size_t k = 0; k < v->n; k++) {
			double y = v->point[k].y;
			double part = is_share
			                  ? y
			                  : 100 * y /
			                        value_at(&s->sweep[i].expected,
			                                 v->point[k].x);

			if (part > best) {
				best = part;
				of = i;
			}
		}
	}
	if (best <= 0)
		return NULL;
	for (size_t k = s->sweep[of].values.n; k-- > 0;) {
		struct plot_point at = s->sweep[of].values.point[k];
		double bound =
		    is_share ? 100 : value_at(&s->sweep[of].expected, at.x);

		if (!(100 * at.y / bound >= NEARLY * best))
			break;
		from = at.x;
		last = isnan(last) ? at.x : last;
	}
	words = xasprintf("%.3g %% of the %s", best, limit);
	if (s->keys.n > 1 && curve[of].name)
		xappend(&words, ", ", "%s",
		        curve[of].whole ? curve[of].whole : curve[of].name);
	size = size_words(from);
	if (!isnan(from) && from < last)
		xappend(&words, ", ", "from %s on", size);
	free(size);
	return words;
}

/* "504 ns at 64 B to 784 ns at 1 KiB" */
static char *
extent_words(const struct sweeps *s, const struct curve curve[],
             const char *measure, const char *column)
{
	struct plot_point low = {0, INFINITY}, high = {0, -INFINITY};
	bool bandwidth = !strcmp(unit_of(measure), "gbit_s");
	char *from, *to, *at, *words;
	size_t of = 0;

	for (size_t i = 0; i < s->keys.n; i++) {
		const struct curve *v = &s->sweep[i].values;

		for (size_t k = 0; k < v->n; k++) {
			if (v->point[k].y < low.y)
				low = v->point[k];
			if (v->point[k].y > high.y) {
				high = v->point[k];
				of = i;
			}
		}
	}
	if (!(low.y <= high.y))
		return NULL;
	from = quantity_words(measure, low.y);
	to = quantity_words(measure, high.y);
	at = is_bytes(column) ? size_words(high.x)
	                      : quantity_words(column, high.x);
	if (bandwidth)
		words = xasprintf(
		    "up to %s%s%s, at %s", to,
		    s->keys.n > 1 && curve[of].name ? ", " : "",
		    s->keys.n > 1 && curve[of].name ? curve[of].name : "", at);
	else
		words = low.y < high.y ? xasprintf("%s to %s", from, to)
		                       : xstrdup(from);
	free(from);
	free(to);
	free(at);
	return words;
}

/* "after 1 ms 55 us more, after 1 s 64 us", of the curve that rises most. */
static char *
silence_words(const struct sweeps *s)
{
	struct plot_point first = {0}, last = {0};
	double most = 0;
	char *words, *after, *at_last, *more, *more_last;

	for (size_t i = 0; i < s->keys.n; i++) {
		const struct curve *v = &s->sweep[i].values;
		double base = v->n ? v->point[0].y : NAN, high;
		size_t k = 0;

		high = v->n ? value_at(&s->sweep[i].high, v->point[0].x) : NAN;
		high = isnan(high) ? base : high;
		while (k < v->n && !(v->point[k].y > high))
			k++;
		if (k == v->n || v->point[v->n - 1].y - base <= most)
			continue;
		most = v->point[v->n - 1].y - base;
		first =
		    (struct plot_point){v->point[k].x, v->point[k].y - base};
		last = (struct plot_point){v->point[v->n - 1].x, most};
	}
	if (!most)
		return NULL;
	after = time_words(first.x);
	more = time_words(first.y);
	at_last = time_words(last.x);
	more_last = time_words(last.y);
	words = first.x < last.x ? xasprintf("after %s %s more, after %s %s",
	                                     after, more, at_last, more_last)
	                         : xasprintf("after %s %s more", after, more);
	free(after);
	free(more);
	free(at_last);
	free(more_last);
	return words;
}

/* Picture ------------------------------------------------------------------ */

static struct curve *
name_sweeps(const struct names *names, const struct sweeps *s)
{
	/* A sweep without distinguishing columns is named after its kind. */
	const char *kind = names_constant(names, "kind");
	double *median = xcalloc(s->keys.n + 1, sizeof *median);
	struct curve *curve;

	for (size_t i = 0; i < s->keys.n; i++)
		median[i] = points_middle(&s->sweep[i].values, 1, true);
	curve = named_curves(names, &s->keys, true, median,
	                     *kind ? kind : "measured");
	free(median);
	return curve;
}

/* What is drawn, with the units of its axes. */
struct drawn {
	struct picture *p;
	struct scale x, y;
	struct end *end;
	size_t nends;
};

static void
put_curve(struct drawn *d, const struct curve *c)
{
	for (size_t i = 0; i < c->n; i++) {
		if (isnan(c->point[i].y))
			block_gap(d->p);
		else
			POINT(d->p, c->point[i].x / d->x.unit,
			      c->point[i].y / d->y.unit);
	}
}

/* Adds the name of a curve at its end; takes it. */
static void
end_curve(struct drawn *d, const struct curve *c, char *name, double look,
          double dash)
{
	size_t i = c->n;

	while (i && isnan(c->point[i - 1].y))
		i--;
	if (!i || !name)
		free(name);
	else
		array_push(
		    d->end, d->nends,
		    ((struct end){.x = c->point[i - 1].x / d->x.unit,
		                  .y = c->point[i - 1].y / d->y.unit,
		                  .name = name,
		                  .look = look,
		                  .dash = dash,
		                  .mark = look > 9 ? MARK_LINE : MARK_CURVE}));
}

/* A block with a curve of each sweep. */
static void
put_block(struct drawn *d, const char *name, const struct sweeps *s,
          const struct curve *(*pick)(const struct sweep *))
{
	block_begin(d->p, name);
	for (size_t i = 0; i < s->keys.n; i++) {
		if (i)
			block_next(d->p);
		put_curve(d, pick(&s->sweep[i]));
	}
	block_end(d->p);
}

static const struct curve *
values_of(const struct sweep *s)
{
	return &s->values;
}

static const struct curve *
floor_of(const struct sweep *s)
{
	return &s->floor;
}

static void
put_bands(struct drawn *d, const struct sweeps *s)
{
	block_begin(d->p, "bands");
	for (size_t i = 0; i < s->keys.n; i++) {
		const struct sweep *w = &s->sweep[i];

		if (i)
			block_next(d->p);
		for (size_t k = 0; k < w->low.n && k < w->high.n; k++) {
			struct plot_point low = w->low.point[k];

			if (k && any_missing(&w->values, w->low.point[k - 1].x,
			                     low.x))
				block_gap(d->p);
			POINT(d->p, low.x / d->x.unit, low.y / d->y.unit,
			      w->high.point[k].y / d->y.unit);
		}
	}
	block_end(d->p);
}

/* Percentiles: "cache cold, p99.9", in the colour of the medians. */
static void
put_more(struct drawn *d, const struct names *names, const struct sweeps *s,
         const struct curve curve[])
{
	const struct table *t = names->t;
	double *look = NULL, *dash = NULL;
	size_t n = 0;

	block_begin(d->p, "more");
	for (size_t i = 0; i < s->keys.n; i++) {
		const struct sweep *w = &s->sweep[i];
		const char *of =
		    curve[i].name && s->keys.n > 1 ? curve[i].name : "";
		double dashes = 2;

		for (size_t k = 0; w->more && k < t->ncols; k++) {
			char *pct, *dot, *name;

			if (!w->more[k].n)
				continue;
			pct = column_words(t->name[k]);
			while ((dot = strchr(pct, ' ')))
				*dot = '.';
			if (n)
				block_next(d->p);
			put_curve(d, &w->more[k]);
			name = xasprintf("%s%s%s", of, *of ? ", " : "", pct);
			array_push(look, n, look_of(&curve[i]));
			dash = xreallocarray(dash, n, sizeof *dash);
			dash[n - 1] = dashes++;
			end_curve(d, &w->more[k], name, look[n - 1],
			          dash[n - 1]);
			free(pct);
		}
	}
	block_end(d->p);
	put_number(d->p, "nmore", (double)n);
	put_numbers(d->p, "morelook", look, n);
	put_numbers(d->p, "moredash", dash, n);
	free(look);
	free(dash);
}

static void
put_bounds(struct drawn *d, const struct bound *b, size_t n)
{
	block_begin(d->p, "bounds");
	for (size_t i = 0; i < n; i++) {
		if (i)
			block_next(d->p);
		put_curve(d, &b[i].curve);
		end_curve(d, &b[i].curve, b[i].name, 10, (double)i + 2);
	}
	block_end(d->p);
	put_number(d->p, "nbounds", (double)n);
}

static void
put_tips(const struct drawn *d, const struct sweeps *s,
         const struct curve curve[], const char *column)
{
	for (size_t i = 0; i < s->keys.n; i++) {
		const struct curve *v = &s->sweep[i].values;

		for (size_t k = 0; k < v->n; k++) {
			struct place at = AT(v->point[k].x / d->x.unit,
			                     v->point[k].y / d->y.unit);
			char *text = value_text(&s->sweep[i], v->point[k],
			                        s->measure, column);

			at.look = look_of(&curve[i]);
			if (!isnan(at.y))
				add_tip(d->p, at, whole_name(&curve[i]), "%s",
				        text);
			free(text);
		}
	}
}

/* The distinct places of all values, ascending. */
static size_t
places(const struct sweeps *s, double **x)
{
	size_t n = 0;

	for (size_t i = 0; i < s->keys.n; i++) {
		for (size_t k = 0; k < s->sweep[i].values.n; k++)
			array_push(*x, n, s->sweep[i].values.point[k].x);
	}
	return sort_distinct(*x, n);
}

/* Widens a range to the values of a curve. */
struct value_range {
	double low, high;
};

static void
widen(struct value_range *r, const struct curve *c)
{
	for (size_t i = 0; i < c->n; i++) {
		r->low = fmin(r->low, c->point[i].y);
		r->high = fmax(r->high, c->point[i].y);
	}
}

/* The vertical axis of all that is drawn. */
static struct scale
choose_y(const struct picture *p, const struct sweeps *s, const struct bound *b,
         size_t nbounds, bool bands, size_t ncols)
{
	struct value_range r = {INFINITY, -INFINITY};
	double least = INFINITY;

	for (size_t i = 0; i < s->keys.n; i++) {
		const struct sweep *w = &s->sweep[i];

		widen(&r, &w->values);
		least = fmin(least, r.low);
		for (size_t k = 0; w->more && k < ncols; k++)
			widen(&r, &w->more[k]);
		if (bands) {
			widen(&r, &w->low);
			widen(&r, &w->high);
			widen(&r, &w->floor);
		}
	}
	for (size_t i = 0; i < nbounds; i++)
		widen(&r, &b[i].curve);
	if (!strcmp(unit_of(s->measure), "gbit_s"))
		return scale_from_zero(p, true, "Gbit/s", r.low, r.high);
	if (!strcmp(unit_of(s->measure), "ns"))
		return choose_scale(p, true, "ns", r.low, r.high,
		                    LOG_FROM * least);
	return choose_scale(p, true, "", r.low, r.high, INFINITY);
}

static double
least_y(const struct sweeps *s)
{
	struct value_range r = {INFINITY, -INFINITY};

	for (size_t i = 0; i < s->keys.n; i++)
		widen(&r, &s->sweep[i].values);
	return fmax(r.low, 1e-3);
}

/* A line at 100 %. */
static void
add_base(struct bound **b, size_t *n, const double x[], size_t nx,
         const char *name)
{
	struct curve base = {0};

	if (!nx)
		return;
	curve_add(&base, x[0], 100);
	curve_add(&base, x[nx - 1], 100);
	array_push(*b, *n, ((struct bound){base, xstrdup(name)}));
}

static void
note_all(struct picture *p, struct sweeps *s, unsigned limits)
{
	if (s->most > ABOVE)
		xappend(&p->note, "; ", "up to %.3g %% of the limit%s", s->most,
		        s->most_by == BY_READS
		            ? ": --inflight or --rtt is too low"
		            : "");
	if (limits & ~(1u << BY_LINK) && s->limits)
		xappend(&p->note, "; ", "%s", s->limits);
	if (s->empty)
		xappend(&p->note, "; ", "left out: %zu row%s %s", s->empty,
		        s->empty == 1 ? "" : "s",
		        s->counts ? "without a number of transfers"
		                  : "of size 0");
	if (s->holes)
		xappend(&p->note, "; ", "gaps: %zu row%s without a value",
		        s->holes, s->holes == 1 ? "" : "s");
	free(s->limits);
}

static void
free_sweeps(struct sweeps *s, size_t ncols)
{
	for (size_t i = 0; i < s->keys.n; i++) {
		struct sweep *w = &s->sweep[i];

		for (size_t k = 0; w->more && k < ncols; k++)
			free(w->more[k].point);
		free(w->more);
		free(w->values.point);
		free(w->low.point);
		free(w->high.point);
		free(w->floor.point);
		free(w->expected.point);
	}
	free(s->sweep);
	free(s->of_link);
	key_set_free(&s->keys);
	key_set_free(&s->links);
}

static const struct sweep_kind silence_sweep = {
    .column = "idle_us",
    .label = "silence before, from 1 us",
    .measures =
        (const char *const[]){"median_ns", "latency_ns", "mean_ns", NULL},
    .needed = "a silence or a latency",
    .silence = true,
};

/* By --x, latency has another axis. */
static const struct sweep_kind *
kind_by_axis(const struct picture *p, const struct sweep_kind *kind)
{
	const char *x = p->x_column;

	if (!x || kind->outstanding || !kind->label || !strcmp(x, kind->column))
		return kind;
	if (strcmp(x, silence_sweep.column) != 0)
		die_usage("--x %s: for lat size_bytes or idle_us", x);
	return &silence_sweep;
}

/*
 * Reads the table to its end: a curve for rows that differ only in size, its
 * bound if there is one, and for few curves of latency the scatter. Dies as
 * sweeps_read does.
 */
void
/* NOLINTNEXTLINE(readability-function-size): to be cut into parts */
draw_sweep(struct picture *p, struct table *t, const struct sweep_kind *kind)
{
	struct drawn d = {.p = p};
	struct sweeps s = {0};
	struct names names;
	struct curve *curve;
	const char *axis;
	struct bound *bounds = NULL;
	char *ratio = NULL, *base, *other, *limit;
	double *x = NULL, *lines;
	unsigned limits = 0;
	size_t nbounds, nx;
	bool bands, both_ways, any = false;

	kind = kind_by_axis(p, kind);
	axis = kind->silence ? "silence_ns" : kind->column;
	sweeps_read(&s, t, kind,
	            p->x_column || kind->outstanding ? p->x_column
	                                             : "inject_delay");
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
	curve = name_sweeps(&names, &s);
	p->finding = kind->outstanding ? flight_words(t, &s)
	             : kind->silence   ? silence_words(&s)
	                             : share_words(&s, curve, s.measure, limit);
	if (!p->finding)
		p->finding = extent_words(&s, curve, s.measure, axis);
	both_ways = !strcmp(names_constant(&names, "bench"), "bw_rdwr") ||
	            (kind->link &&
	             !strcmp(names_constant(&names, "direction"), "both"));
	names_describe(&names, p,
	               kind->link ? "throughput" : measure_words(s.measure));
	if (s.runs > 1 && !kind->link)
		xappend(&p->subtitle, ", ", "%zu runs", s.runs);
	p->note = band_note(&s, &bands);
	note_all(p, &s, limits);
	nx = places(&s, &x);
	nbounds = kind->outstanding ? list_flights(&bounds, t, &s, x, nx)
	                            : list_bounds(&bounds, &names, &s);
	if (ratio)
		add_base(&bounds, &nbounds, x, nx,
		         strcmp(s.measure, "ratio_pct") == 0 ? "base" : limit);
	free(limit);
	d.x = kind->outstanding ? choose_scale(p, false, "", x && nx ? x[0] : 1,
	                                       x && nx ? x[nx - 1] : 10, 0)
	      : kind->silence
	          ? choose_scale(p, false, "ns", x && nx ? x[0] : 1000,
	                         x && nx ? x[nx - 1] : 1e9, 0)
	      : kind->label ? scale_of_sizes(p, x, nx)
	                    : scale_from_zero(p, false, "Gbit/s", 0,
	                                      x && nx ? x[nx - 1] : 0);
	d.y = choose_y(p, &s, bounds, nbounds, bands, t->ncols);
	if (kind->outstanding)
		d.y = choose_scale(p, true, "Gbit/s",
		                   fmax(d.y.low, least_y(&s)), d.y.high, 0);
	put_scale(p, false, &d.x, kind->label ? kind->label : "bandwidth");
	put_scale(p, true, &d.y,
	          ratio ? ratio
	          : !both_ways
	              ? kind->link ? "throughput" : measure_words(s.measure)
	          : kind->link ? "throughput each way"
	                       : "bandwidth each way");
	free(ratio);
	put_series(p, curve, s.keys.n);
	put_bounds(&d, bounds, nbounds);
	lines = xcalloc(s.keys.n + 1, sizeof *lines);
	for (size_t i = 0; i < s.keys.n; i++) {
		lines[i] = is_computed(&names, &s.keys.key[i]);
		any = any || curve_has_values(&s.sweep[i].values);
		end_curve(&d, &s.sweep[i].values,
		          curve[i].name &&
		                  (s.keys.n + nbounds > 1 || s.sweep[i].more)
		              ? xstrdup(curve[i].name)
		              : NULL,
		          look_of(&curve[i]), curve[i].dashed ? 2 : 1);
	}
	put_numbers(p, "lines_only", lines, s.keys.n);
	for (size_t i = 0; i < s.keys.n; i++)
		lines[i] = curve[i].dashed ? 2 : 1;
	put_numbers(p, "dash", lines, s.keys.n);
	put_block(&d, "rows", &s, values_of);
	put_block(&d, "floors", &s, floor_of);
	put_bands(&d, &s);
	put_more(&d, &names, &s, curve);
	put_tips(&d, &s, curve, axis);
	put_number(p, "bands", bands);
	put_number(p, "sizes",
	           kind->label && !kind->outstanding && !kind->silence);
	put_ends(p, d.end, d.nends);
	p->empty = !any;
	for (size_t i = 0; i < s.keys.n; i++) {
		free(curve[i].name);
		free(curve[i].whole);
	}
	for (size_t i = 0; i < nbounds; i++)
		free(bounds[i].curve.point);
	free(bounds);
	free(curve);
	free(lines);
	free(x);
	free(d.end);
	names_free(&names);
	free_sweeps(&s, t->ncols);
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
    .help = "latency against size or silence: median, p5 to p95, minimum",
    .takes = TAKES_AXES | TAKES_X,
    .template = "sweep",
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
    .template = "sweep",
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
    .template = "sweep",
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
    .template = "sweep",
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
    .template = "sweep",
    .sweep = &load_sweep,
};

static const struct sweep_kind nic_sweep = {
    .column = "frame_bytes",
    .label = "frame size",
    .measures =
        (const char *const[]){"median_gbit_s", "bandwidth_gbit_s", NULL},
    .expected = "ethernet_gbit_s",
    .link = "ethernet",
    .needed = "a size or a bandwidth",
};

const struct kind kind_nic = {
    .name = "nic",
    .help = "throughput of devices against frame size, and that of Ethernet",
    .takes = TAKES_AXES,
    .template = "sweep",
    .sweep = &nic_sweep,
};

static const struct sweep_kind inflight_sweep = {
    .column = "interface",
    .label = "outstanding transfers",
    .measures =
        (const char *const[]){"median_gbit_s", "bandwidth_gbit_s", NULL},
    .expected = "model_gbit_s",
    .needed = "a number of transfers or a bandwidth",
    .outstanding = true,
};

const struct kind kind_inflight = {
    .name = "inflight",
    .help =
        "bandwidth against what is outstanding, and where it fills the link",
    .takes = TAKES_AXES | TAKES_X,
    .template = "sweep",
    .sweep = &inflight_sweep,
};
